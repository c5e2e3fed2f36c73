-- Take a standing approval back; gives 1 if it was there.
-- ARGV: id, who has done it (JSON text; empty when its data is erased)
local id, said = unpack(ARGV)
local record = P .. 'allowance:' .. id
local whose, tool = unpack(redis.call('HMGET', record, 'whose', 'tool'))
if not whose then return 0 end
redis.call('DEL', record)
redis.call('ZREM', P .. 'allowed:' .. whose, id)
redis.call('ZREM', P .. 'allowances', id)
if AUDIT then
  note_audit('revoked', '', tool, said ~= '' and said or cjson.encode({id = id}))
  flush_audit()
end
return 1
