-- Give calls to a worker: those that are still queued under the fence that the notice names, whose
-- deadline has not passed, and as many as it has room for; the others' notice goes back to the front
-- of its queue. A call over a limit is parked until one with the same key ends, one over a rate until
-- it has room; gives then also in how many milliseconds that is to be looked at, else -1.
-- The same claim sent twice (its answer was lost) is answered again.
-- ARGV: owner, claim id, room, then for each notice: key, fence
local owner, claim_id, free = ARGV[1], ARGV[2], tonumber(ARGV[3])
local started = whole(NOW)
local claims, routes, popped, out, left, rest = {}, {}, {}, {}, {}, {}
local add, flush_added = gather('ZADD')
local take, flush_taken = gather('ZREM')
local hold, flush_held = gather('SADD')

-- Tell whether one more call may run under its limit: it has a place or gets one, else it is parked.
local function passes(cap, key, route, requested)
  local limit, name = parse_cap(cap)
  if redis.call('SISMEMBER', P .. 'busy:' .. name, key) == 1 then return true end
  if redis.call('SCARD', P .. 'busy:' .. name) < limit then
    redis.call('SADD', P .. 'busy:' .. name, key)
    return true
  end
  redis.call('ZADD', P .. 'parked:' .. name, parked_rank(route, requested), key)
  redis.call('HSET', call_of(key), 'waits_for', 'limit:' .. cap)
  take('rung:' .. route, key)
  return false
end

-- The same for both its rate and its limit. A place under the limit that it was sent on with is given
-- back when it is the rate that it has to wait for.
local paced = {}
local function may_start(key, fence, call)
  local cap, rate, route = call[11], call[16], call[10]
  if rate and not has_pace(rate, key) then
    wait_for_pace(rate, key, fence, route, call[6])
    paced[rate] = true
    local _, name = parse_cap(cap or '1:')
    if cap and redis.call('SREM', P .. 'busy:' .. name, key) == 1 then wake_parked(name, routes) end
    return false
  end
  if cap and not passes(cap, key, route, call[6]) then
    if rate then paced[rate] = true end
    return false
  end
  if rate then note_start(rate, key .. ' ' .. fence) end
  return true
end

local shed = {}
-- What the worker has to know of a claim, words between spaces: `shed` when the tool failed too often
-- of late and is not to be called, `halted` when one did not succeed that had to, `verify` when it is
-- to be found out what the last attempt did.
local function marks_of(call)
  local tool = call[12]
  if shed[tool] == nil then shed[tool] = redis.call('EXISTS', P .. 'shed:' .. tool) == 1 end
  return (shed[tool] and 'shed ' or '') .. (call[18] and 'halted ' or '') .. (call[15] and 'verify' or '')
end

local function run(key, fence, call)
  local limit, route = math.min(tonumber(call[5]), tonumber(call[4]) - NOW), call[10]
  -- To find out what an attempt did is no attempt.
  local attempt = call[15] and tonumber(call[3]) or call[3] + 1
  redis.call('HSET', call_of(key), 'state', 'running', 'owner', owner, 'claim', claim_id,
    'started', started, 'attempts', attempt, 'limit', limit)
  hold('running:' .. owner, key)
  add('timers', NOW + limit + GRACE, key)
  add('state:running', call[6], key)
  take('state:queued', key)
  take('rung:' .. route, key)
  claims[#claims + 1] = {key, fence, call[8], call[9], attempt, call[6], started, call[4], limit,
    call[14] or '', marks_of(call), call[15] or '', call[17] or nil}
  if AUDIT then note_audit('claimed', key, call[12], owner, whole(attempt), call[15] and 'verify' or '') end
end

local seen = {}
for at = 4, #ARGV, 2 do
  local key, fence = ARGV[at], ARGV[at + 1]
  local call = redis.call('HMGET', call_of(key), 'state', 'fence', 'attempts', 'deadline',
    'timeout', 'requested', 'claim', 'spec', 'sig', 'route', 'cap', 'tool', 'cancel', 'checkpoint',
    'verify', 'rate', 'grants', 'halted')
  local mine, route = call[2] == fence and not seen[key], call[10]
  if mine then seen[key] = true end
  if mine and call[1] == 'running' and call[7] == claim_id then
    local again = redis.call('HMGET', call_of(key), 'started', 'limit')
    claims[#claims + 1] = {key, fence, call[8], call[9], call[3], call[6], again[1], call[4], again[2],
      call[14] or '', marks_of(call), call[15] or '', call[17] or nil}
  elseif mine and call[1] == 'queued' and call[13] then
    take('rung:' .. route, key)
  elseif mine and call[1] == 'queued' and tonumber(call[4]) > NOW then
    if #claims >= free then
      left[#left + 1] = {key, tonumber(fence)}
      rest = {route = rest.route or route, tool = rest.tool or call[12]}
    elseif not (call[11] or call[16]) or may_start(key, fence, call) then
      run(key, fence, call)
    end
  elseif AUDIT then
    note_audit('notice_refused', key, call[12] or '', owner, fence, call[1] or '', call[2] or '')
  end
  if route then
    routes[route] = true
    if #left == 0 then popped[route] = math.max(popped[route] or 0, tonumber(fence)) end
  end
end
flush_added()
flush_taken()
flush_held()
for route, highest in pairs(popped) do
  if highest > tonumber(redis.call('GET', P .. 'popped:' .. route) or 0) then
    redis.call('SET', P .. 'popped:' .. route, highest)
  end
end
if #left > 0 then tell(rest.route, rest.tool, left, out, 'RPUSH') end
local soon = -1
for rate in pairs(paced) do
  wake_paced(rate, routes)
  local when = tonumber(redis.call('ZSCORE', P .. 'paces', rate) or -1)
  if when >= 0 and (soon < 0 or when - NOW < soon) then soon = math.max(0, when - NOW) end
end
if #claims > 0 then redis.call('ZADD', P .. 'owners', 'NX', NOW + LEASE, owner) end
if AUDIT then flush_audit() end
return {claims, ring_all(routes, out), soon}
