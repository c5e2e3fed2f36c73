#!lua flags=allow-oom
-- Have running calls stopped: a mark that outlives every process, and a word to each worker.
-- ARGV: reason, then keys
local asked = {}
for at = 2, #ARGV do
  local key = ARGV[at]
  local state, owner, fence, tool =
    unpack(redis.call('HMGET', call_of(key), 'state', 'owner', 'fence', 'tool'))
  if state == 'running' then
    redis.call('HSETNX', call_of(key), 'cancel', ARGV[1])
    redis.call('ZADD', P .. 'cancelling', 'NX', NOW, key)
    order_stop(key, owner, fence)
    if AUDIT then note_audit('withdrawn', key, tool, owner, ARGV[1]) end
  end
  asked[#asked + 1] = state == 'running' and 1 or 0
end
if AUDIT then flush_audit() end
return asked
