#!lua flags=allow-oom
-- Take note that entries of the audit are in a file: keep the file's newest seal, drop the entries.
-- Gives 0, and does nothing, when another one has sealed meanwhile.
-- ARGV: the seal that must be the newest still (or empty), the new one, ids of entries
local sealed = P .. 'audit:sealed'
if (redis.call('GET', sealed) or '') ~= ARGV[1] then return 0 end
redis.call('SET', sealed, ARGV[2])
if #ARGV > 2 then redis.call('XDEL', P .. 'audit', unpack(ARGV, 3)) end
redis.call('DEL', P .. 'audit:trouble')
return 1
