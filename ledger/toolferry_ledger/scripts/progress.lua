-- Keep how far a running call is, for as long as the asker holds its fence.
-- ARGV: key, fence, report
local call = redis.call('HMGET', call_of(ARGV[1]), 'state', 'fence')
if call[1] ~= 'running' or call[2] ~= ARGV[2] then return 0 end
redis.call('HSET', call_of(ARGV[1]), 'progress', ARGV[3])
return 1
