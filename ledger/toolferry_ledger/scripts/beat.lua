#!lua flags=allow-oom
-- Renew a worker's lease and tell how many calls it can run; its lane's window follows.
-- ARGV: owner, lane, slots
local owner, lane, slots = ARGV[1], ARGV[2], ARGV[3]
redis.call('ZADD', P .. 'owners', NOW + LEASE, owner)
redis.call('HSET', P .. 'slots:' .. lane, owner, slots)
local known, live = redis.call('HGETALL', P .. 'slots:' .. lane), 0
for i = 1, #known, 2 do
  local lease = redis.call('ZSCORE', P .. 'owners', known[i])
  if lease and tonumber(lease) > NOW then
    live = live + known[i + 1]
  else
    redis.call('HDEL', P .. 'slots:' .. lane, known[i])
  end
end
redis.call('SET', P .. 'window:' .. lane, math.max(4, 2 * live), 'PX', 60000)
redis.call('PEXPIRE', P .. 'slots:' .. lane, 60000)
redis.call('PEXPIRE', P .. 'owners', ENDED_TTL)
return whole(NOW)
