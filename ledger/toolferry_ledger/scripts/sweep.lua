#!lua flags=allow-oom
-- The elected sweeper's round: find the calls of dead workers and the notices that were lost.
--
-- Cancelled calls that still run: their workers are asked again.
--
-- Dead workers: a lease that has ended is believed only if the server's clock can be trusted. After
-- a gap of more than two rounds (the server was frozen or away) or a restart, nothing expires for
-- one lease time, so that workers can renew: since the freeze was noticed, or the server was back.
--
-- Lost notices: notices are numbered when they are rung and leave their queue in that order. What
-- was numbered up to `issued` before an empty queue was seen, or up to `popped` when it was not
-- empty, has left the queue; if that was 6 s ago and a call is still not claimed, its notice is
-- lost and it goes to the front of its line. Of a queue that is elsewhere `issued` was read before
-- the length.
-- ARGV: the most calls to hand out, milliseconds between two sweeps, then for each route whose queue is
--       elsewhere: route, issued, queue length
local suspects, routes = {}, {}
local facts = redis.call('INFO', 'server')
local run_id = string.match(facts, 'run_id:(%w+)')
local uptime = 1000 * (tonumber(string.match(facts, 'uptime_in_seconds:(%d+)')) or 0)
local last = redis.call('HMGET', P .. 'sweeps', 'at', 'run_id', 'quiet_until')
local gap = last[1] and NOW - last[1] > 2 * ARGV[2] + 1000
local quiet_until = tonumber(last[3] or 0)
if last[2] and last[2] ~= run_id then
  -- A replica that took over has been up for long, but nobody could renew there.
  local waited = uptime < NOW - last[1] and math.min(uptime, LEASE) or 0
  quiet_until = NOW + LEASE - waited
elseif last[2] and gap then
  quiet_until = NOW + LEASE
end
redis.call('HSET', P .. 'sweeps', 'at', whole(NOW), 'run_id', run_id, 'quiet_until', whole(quiet_until))
redis.call('PEXPIRE', P .. 'sweeps', DAY)

if NOW >= quiet_until then
  for _, owner in ipairs(redis.call('ZRANGEBYSCORE', P .. 'owners', '-inf', NOW)) do
    local keys = redis.call('SRANDMEMBER', P .. 'running:' .. owner, ARGV[1])
    for _, key in ipairs(keys) do suspects[#suspects + 1] = suspect(key, 1) end
    for _, key in ipairs(redis.call('SMEMBERS', P .. 'holding:' .. owner)) do
      let_go(key, owner, routes)
    end
    if #keys == 0 then redis.call('ZREM', P .. 'owners', owner) end
  end
end

for _, key in ipairs(redis.call('ZRANGE', P .. 'cancelling', 0, ARGV[1])) do
  local state, owner, fence = unpack(redis.call('HMGET', call_of(key), 'state', 'owner', 'fence'))
  if state == 'running' then
    order_stop(key, owner, fence)
  elseif not OPEN[state] then
    redis.call('ZREM', P .. 'cancelling', key)
  end
end
redis.call('ZREMRANGEBYSCORE', P .. 'dead', '-inf', NOW - TTL.dead)

local queues = {}
for at = 3, #ARGV, 3 do
  queues[ARGV[at]] = {tonumber(ARGV[at + 1]), tonumber(ARGV[at + 2])}
end
if QUEUES ~= '' then
  for _, route in ipairs(redis.call('SMEMBERS', P .. 'routes')) do
    local issued = tonumber(redis.call('GET', P .. 'seq:' .. route) or 0)
    queues[route] = {issued, redis.call('LLEN', QUEUES .. route)}
  end
end
for route, queue in pairs(queues) do
  local issued, length = unpack(queue)
  local marks = P .. 'marks:' .. route
  local left = length == 0 and issued or tonumber(redis.call('GET', P .. 'popped:' .. route) or 0)
  if length >= 0 then
    redis.call('RPUSH', marks, whole(NOW) .. ' ' .. whole(left))
    redis.call('LTRIM', marks, -8, -1)
    redis.call('PEXPIRE', marks, 60000)
  end
  local gone = -1
  for _, mark in ipairs(redis.call('LRANGE', marks, 0, -1)) do
    local when, number = string.match(mark, '(%d+) (%d+)')
    if tonumber(when) <= NOW - 6000 then gone = math.max(gone, tonumber(number)) end
  end
  local lost = redis.call('ZRANGEBYSCORE', P .. 'rung:' .. route, '-inf', gone, 'LIMIT', 0, 4000)
  for i = #lost, 1, -1 do
    redis.call('ZREM', P .. 'rung:' .. route, lost[i])
    make_ready(lost[i], route, redis.call('HGET', call_of(lost[i]), 'tenant') or 'default', 'LPUSH')
  end
  routes[route] = true
end
if AUDIT then flush_audit() end
return {suspects, ring_all(routes)}
