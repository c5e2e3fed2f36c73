-- Give calls to a worker: those that are still queued under the fence that the notice names and
-- whose deadline has not passed. The same claim sent twice (its answer was lost) is answered again.
-- ARGV: owner, claim id, lane, then for each notice: key, fence
local owner, claim_id, lane = ARGV[1], ARGV[2], ARGV[3]
local claims, highest = {}, 0
local add, flush_added = gather('ZADD')
local take, flush_taken = gather('ZREM')
local hold, flush_held = gather('SADD')
for at = 4, #ARGV, 2 do
  local key, fence = ARGV[at], ARGV[at + 1]
  highest = math.max(highest, tonumber(fence))
  local call = redis.call('HMGET', call_of(key), 'state', 'fence', 'attempts', 'deadline',
    'timeout', 'requested', 'claim', 'spec', 'sig')
  local mine = call[2] == fence
  if mine and call[1] == 'queued' and tonumber(call[4]) > NOW then
    local limit = math.min(tonumber(call[5]), tonumber(call[4]) - NOW)
    redis.call('HSET', call_of(key), 'state', 'running', 'owner', owner, 'claim', claim_id,
      'started', whole(NOW), 'attempts', call[3] + 1, 'limit', limit)
    hold('running:' .. owner, key)
    add('timers', NOW + limit + GRACE, key)
    add('state:running', call[6], key)
    take('state:queued', key)
    take('rung:' .. lane, key)
    claims[#claims + 1] = {key, fence, call[8], call[9], call[3] + 1, call[6], whole(NOW), call[4], limit}
  elseif mine and call[1] == 'running' and call[7] == claim_id then
    local again = redis.call('HMGET', call_of(key), 'started', 'limit')
    claims[#claims + 1] = {key, fence, call[8], call[9], call[3], call[6], again[1], call[4], again[2]}
  end
end
flush_added()
flush_taken()
flush_held()
if highest > tonumber(redis.call('GET', P .. 'popped:' .. lane) or 0) then
  redis.call('SET', P .. 'popped:' .. lane, highest)
end
if #claims > 0 then redis.call('ZADD', P .. 'owners', 'NX', NOW + LEASE, owner) end
return {claims, ring_all({[lane] = true})}
