#!lua flags=allow-oom
-- End a worker's lease at once: what it still runs is found by the next sweep.
-- ARGV: owner, lane
redis.call('HDEL', P .. 'slots:' .. ARGV[2], ARGV[1])
if redis.call('EXISTS', P .. 'running:' .. ARGV[1]) == 1 then
  redis.call('ZADD', P .. 'owners', NOW, ARGV[1])
else
  redis.call('ZREM', P .. 'owners', ARGV[1])
end
return whole(NOW)
