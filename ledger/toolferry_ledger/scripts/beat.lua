#!lua flags=allow-oom
-- Renew a worker's lease and tell how many calls it can run; the windows of its pools follow.
-- ARGV: owner, slots, pools
local owner, slots = ARGV[1], ARGV[2]
redis.call('ZADD', P .. 'owners', NOW + LEASE, owner)
for at = 3, #ARGV do
  local pool, live = ARGV[at], 0
  local key = P .. 'slots:' .. pool
  redis.call('HSET', key, owner, slots)
  local known = redis.call('HGETALL', key)
  for i = 1, #known, 2 do
    local lease = redis.call('ZSCORE', P .. 'owners', known[i])
    if lease and tonumber(lease) > NOW then
      live = live + known[i + 1]
    else
      redis.call('HDEL', key, known[i])
    end
  end
  redis.call('SET', P .. 'window:' .. pool, math.max(MIN_WINDOW, 2 * live), 'PX', 60000)
  redis.call('PEXPIRE', key, 60000)
  redis.call('SADD', P .. 'pools', pool)
end
-- As long as what a dead one still holds may be kept.
redis.call('PEXPIRE', P .. 'owners', 8 * DAY)
redis.call('PEXPIRE', P .. 'pools', DAY)
return whole(NOW)
