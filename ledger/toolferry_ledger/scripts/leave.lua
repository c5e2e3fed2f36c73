#!lua flags=allow-oom
-- End a worker's lease at once: what it still runs is found by the next sweep.
-- ARGV: owner, pools
for at = 2, #ARGV do redis.call('HDEL', P .. 'slots:' .. ARGV[at], ARGV[1]) end
if redis.call('EXISTS', P .. 'running:' .. ARGV[1], P .. 'holding:' .. ARGV[1]) > 0 then
  redis.call('ZADD', P .. 'owners', NOW, ARGV[1])
else
  redis.call('ZREM', P .. 'owners', ARGV[1])
end
return whole(NOW)
