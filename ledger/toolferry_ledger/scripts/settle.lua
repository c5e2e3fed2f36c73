#!lua flags=allow-oom
-- Write what became of calls; allowed also when the server is full, so that no result is lost.
-- Only the holder of the fence may write, and only along the table of transitions: the first
-- outcome wins, a late owner is refused. Tells every inbox of the turn, lets successors go. An inbox
-- gets the key and, when it is short, the result itself, which saves its reader a round trip.
-- ARGV: for each: key, fence, state, result, delay
local SHORT_RESULT = 2048
local accepted, lanes, told, inboxes = {}, {}, {}, {}

local function inboxes_of(turn)
  inboxes[turn] = inboxes[turn] or redis.call('HGET', turn, 'inboxes') or ''
  return inboxes[turn]
end

local function release_successors(turn_key, list)
  for index in string.gmatch(list, '%d+') do
    local key = string.match(turn_key, 'turn:(.*)$') .. ':' .. index
    local left = redis.call('HINCRBY', call_of(key), 'pending', -1)
    local state, lane, tenant, requested =
      unpack(redis.call('HMGET', call_of(key), 'state', 'lane', 'tenant', 'requested'))
    if left == 0 and state == 'waiting' then
      redis.call('HSET', call_of(key), 'state', 'queued')
      index_state(key, 'waiting', 'queued', requested)
      make_ready(key, lane, tenant)
      lanes[lane] = true
    end
  end
end

local function finish(key, state, result, call)
  local turn, index = turn_of(key)
  redis.call('HSET', call_of(key), 'state', state, 'finished', whole(NOW))
  redis.call('PEXPIRE', call_of(key), ENDED_TTL)
  redis.call('HSET', turn, 'r:' .. index, result)
  redis.call('ZREM', P .. 'timers', key)
  redis.call('ZREM', P .. 'lane:' .. call[3], key)
  redis.call('ZREM', P .. 'tool:' .. call[4], key)
  index_state(key, call[1], nil)
  redis.call('HINCRBY', P .. 'totals', state .. '|' .. call[3] .. '|' .. call[4], 1)
  if redis.call('HINCRBY', turn, 'open', -1) == 0 then redis.call('PEXPIRE', turn, ENDED_TTL) end
  for inbox in string.gmatch(inboxes_of(turn), '%S+') do
    local entry = told[inbox] or {}
    told[inbox] = entry
    entry[#entry + 1] = key
    entry[#entry + 1] = #result <= SHORT_RESULT and result or ''
  end
  if call[7] then release_successors(turn, call[7]) end
end

local function postpone(key, state, delay, call)
  redis.call('HSET', call_of(key), 'state', state)
  index_state(key, call[1], state, call[8])
  if state == 'queued' then
    redis.call('ZADD', P .. 'timers', call[9], key)
    make_ready(key, call[3], call[5])
    lanes[call[3]] = true
  else
    redis.call('ZADD', P .. 'timers', math.min(NOW + delay, tonumber(call[9])), key)
  end
end

for at = 1, #ARGV, 5 do
  local key, fence, state = ARGV[at], ARGV[at + 1], ARGV[at + 2]
  local call = redis.call('HMGET', call_of(key), 'state', 'fence', 'lane', 'tool', 'tenant',
    'owner', 'next', 'requested', 'deadline')
  local fits = call[1] and call[2] == fence and ALLOWED[call[1]][state]
  if fits then
    if call[1] == 'running' then redis.call('SREM', P .. 'running:' .. call[6], key) end
    if call[1] == 'queued' then redis.call('ZREM', P .. 'rung:' .. call[3], key) end
    if OPEN[state] then
      postpone(key, state, tonumber(ARGV[at + 4]), call)
    else
      finish(key, state, ARGV[at + 3], call)
    end
  elseif call[1] then
    redis.call('HINCRBY', call_of(key), 'late', 1)
  end
  accepted[#accepted + 1] = fits and 1 or 0
end
for inbox, entry in pairs(told) do
  for from = 1, #entry, 1000 do
    local part = {unpack(entry, from, math.min(from + 999, #entry))}
    redis.call('XADD', P .. 'inbox:' .. inbox, 'MAXLEN', '~', 2000, '*', unpack(part))
  end
  redis.call('PEXPIRE', P .. 'inbox:' .. inbox, INBOX_TTL)
end
return {accepted, ring_all(lanes)}
