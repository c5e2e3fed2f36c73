#!lua flags=allow-oom
-- Act on the timers that are due: retries go back in line; running and queued calls whose time is
-- up are handed to the asker to judge, and to nobody else for a second; calls whose rate has room
-- again go on. Then elect a sweeper, and tell the newest notice of each route whose queue is
-- elsewhere.
-- ARGV: the most timers to look at, milliseconds between two sweeps
local routes, suspects = {}, {}
local due = redis.call('ZRANGEBYSCORE', P .. 'timers', '-inf', NOW, 'LIMIT', 0, ARGV[1])
for _, key in ipairs(due) do
  local state, route, tenant, requested, deadline =
    unpack(redis.call('HMGET', call_of(key), 'state', 'route', 'tenant', 'requested', 'deadline'))
  local cancelled = redis.call('HEXISTS', call_of(key), 'cancel') == 1
  if not state then
    redis.call('ZREM', P .. 'timers', key)
  elseif state == 'retrying' and tonumber(deadline) > NOW and not cancelled then
    redis.call('HSET', call_of(key), 'state', 'queued')
    redis.call('ZADD', P .. 'timers', deadline, key)
    index_state(key, 'retrying', 'queued', requested)
    make_ready(key, route, tenant)
    if AUDIT then note_audit('queued', key, redis.call('HGET', call_of(key), 'tool'), state) end
    routes[route] = true
  else
    redis.call('ZADD', P .. 'timers', NOW + 1000, key)
    suspects[#suspects + 1] = suspect(key, 0)
  end
end
local paces = redis.call('ZRANGE', P .. 'paces', 0, ARGV[1] - 1, 'WITHSCORES')
for at = 1, #paces, 2 do
  if tonumber(paces[at + 1]) <= NOW then wake_paced(paces[at], routes) end
end
if AUDIT then flush_audit() end
local rings = ring_all(routes)
local wait = -1
for _, timers in ipairs({'timers', #paces > 0 and 'paces' or nil}) do
  local next = redis.call('ZRANGE', P .. timers, 0, 0, 'WITHSCORES')[2]
  local left = next and math.max(0, tonumber(next) - NOW) or wait
  wait = wait < 0 and left or math.min(wait, left)
end
local elected = redis.call('SET', P .. 'sweeper', 1, 'NX', 'PX', ARGV[2]) and 1 or 0
local issued = {}
for _, route in ipairs(QUEUES == '' and redis.call('SMEMBERS', P .. 'routes') or {}) do
  issued[#issued + 1] = route
  issued[#issued + 1] = tonumber(redis.call('GET', P .. 'seq:' .. route) or 0)
end
return {suspects, rings, wait, elected, issued}
