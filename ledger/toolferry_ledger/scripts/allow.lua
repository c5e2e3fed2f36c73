-- Keep a standing approval until its end: the record, and where it is found: among all, and among
-- those for the same calls, which are so many at the most. All end by themselves.
-- ARGV: id, name of whose calls it answers, text, signature, uses, end (milliseconds), tool, the most
local id, whose, text, sig, uses, ends, tool, most = unpack(ARGV)
local record, left = P .. 'allowance:' .. id, whole(ends - NOW)
local places = {P .. 'allowed:' .. whose, P .. 'allowances'}
for _, place in ipairs(places) do redis.call('ZREMRANGEBYSCORE', place, '-inf', NOW) end
if redis.call('EXISTS', record) == 1 then return 'kept' end
if redis.call('ZCARD', places[1]) >= tonumber(most) then return 'full' end
redis.call('HSET', record, 'text', text, 'sig', sig, 'left', uses, 'whose', whose, 'tool', tool)
redis.call('PEXPIRE', record, left)
for _, place in ipairs(places) do
  redis.call('ZADD', place, ends, id)
  redis.call('PEXPIRE', place, left, 'NX')
  redis.call('PEXPIRE', place, left, 'GT')
end
if AUDIT then
  note_audit('allowed', '', tool, text)
  flush_audit()
end
return 'kept'
