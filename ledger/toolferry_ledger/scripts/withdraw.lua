#!lua flags=allow-oom
-- Have running calls stopped: a mark that outlives every process, and a word to each worker.
-- ARGV: reason, then keys
local asked = {}
for at = 2, #ARGV do
  local key = ARGV[at]
  local state, owner, fence = unpack(redis.call('HMGET', call_of(key), 'state', 'owner', 'fence'))
  if state == 'running' then
    redis.call('HSETNX', call_of(key), 'cancel', ARGV[1])
    redis.call('ZADD', P .. 'cancelling', 'NX', NOW, key)
    order_stop(key, owner, fence)
  end
  asked[#asked + 1] = state == 'running' and 1 or 0
end
return asked
