#!lua flags=allow-oom
-- Act on the timers that are due: retries go back in line; running and queued calls whose time is
-- up are handed to the asker to judge, and to nobody else for a second. Then elect a sweeper.
-- ARGV: the most timers to look at, milliseconds between two sweeps
local lanes, suspects = {}, {}
local due = redis.call('ZRANGEBYSCORE', P .. 'timers', '-inf', NOW, 'LIMIT', 0, ARGV[1])
for _, key in ipairs(due) do
  local state, lane, tenant, requested, deadline =
    unpack(redis.call('HMGET', call_of(key), 'state', 'lane', 'tenant', 'requested', 'deadline'))
  if not state then
    redis.call('ZREM', P .. 'timers', key)
  elseif state == 'retrying' and tonumber(deadline) > NOW then
    redis.call('HSET', call_of(key), 'state', 'queued')
    redis.call('ZADD', P .. 'timers', deadline, key)
    index_state(key, 'retrying', 'queued', requested)
    make_ready(key, lane, tenant)
    lanes[lane] = true
  else
    redis.call('ZADD', P .. 'timers', NOW + 1000, key)
    suspects[#suspects + 1] = suspect(key, 0)
  end
end
local rings = ring_all(lanes)
local next = redis.call('ZRANGE', P .. 'timers', 0, 0, 'WITHSCORES')
local wait = next[2] and math.max(0, tonumber(next[2]) - NOW) or -1
local elected = redis.call('SET', P .. 'sweeper', 1, 'NX', 'PX', ARGV[2]) and 1 or 0
return {suspects, rings, wait, elected,
  tonumber(redis.call('GET', P .. 'seq:async') or 0), tonumber(redis.call('GET', P .. 'seq:process') or 0)}
