#!lua flags=allow-oom
-- Keep what a worker offers in the catalog while its lease lasts; what the dead offered is dropped.
-- A worker that has withdrawn gets nothing back: an empty offer stands in its place until its lease
-- ends. Gives 0 when the server does not have the definitions, which then have to be sent.
-- ARGV: owner, offer, id of its definitions, milliseconds to keep them, the definitions or nothing
local owner, offer, keep = ARGV[1], ARGV[2], ARGV[4]
local offers, definitions = P .. 'offers', P .. 'definitions:' .. ARGV[3]
if redis.call('HGET', offers, owner) ~= '' then redis.call('HSET', offers, owner, offer) end
for _, other in ipairs(redis.call('HKEYS', offers)) do
  local lease = redis.call('ZSCORE', P .. 'owners', other)
  if other ~= owner and not (lease and tonumber(lease) > NOW) then
    redis.call('HDEL', offers, other)
  end
end
redis.call('PEXPIRE', offers, keep)
if ARGV[5] ~= '' then redis.call('SET', definitions, ARGV[5], 'PX', keep, 'NX') end
redis.call('PEXPIRE', definitions, keep, 'GT')
return redis.call('EXISTS', definitions)
