#!lua flags=allow-oom
-- Write what became of calls; allowed also when the server is full, so that no result is lost.
-- Only the holder of the fence may write, and only along the table of transitions: the first
-- outcome wins, a late owner is refused. Tells every inbox of the turn, lets successors go. An inbox
-- gets the key and, when it is short, the result itself, which saves its reader a round trip.
-- ARGV: for each: key, fence, state, result, delay; in place of the result of a call that goes on
-- "uncounted" when its handler was never called, so that the attempt is not used up
-- A call that ended while it waited has to stay until all that it waited for has ended; no deadline
-- is longer than 7 days.
local SHORT_RESULT, WAITING_TTL = 2048, 8 * 86400000
local accepted, routes, told, inboxes, ended, totals = {}, {}, {}, {}, {}, {}
local remove, flush_removed = gather('ZREM')
local drop, flush_dropped = gather('SREM')
local write, flush_written = gather('HSET')

local function inboxes_of(turn)
  inboxes[turn] = inboxes[turn] or redis.call('HGET', P .. 'turn:' .. turn, 'inboxes') or ''
  return inboxes[turn]
end

-- Let go of a resource: nobody who comes now has to wait for this call.
local function release_resource(key, resource)
  local name = string.match(resource, '^%a:(.*)$')
  redis.call('SREM', P .. 'readers:' .. name, key)
  if redis.call('GET', P .. 'writer:' .. name) == key then redis.call('DEL', P .. 'writer:' .. name) end
end

-- A call has ended, and so has all that it waited for: those that wait for it go on. One that ended
-- while it waited passes here only now, so that nobody overtakes what it waited for.
local function pass(passed)
  while #passed > 0 do
    local key = table.remove(passed)
    local resource, followed = unpack(redis.call('HMGET', call_of(key), 'resource', 'followed'))
    if resource then release_resource(key, resource) end
    local followers = followed and redis.call('LRANGE', P .. 'next:' .. key, 0, -1) or {}
    if followed then redis.call('DEL', P .. 'next:' .. key) end
    for _, follower in ipairs(followers) do
      local left = redis.call('HINCRBY', call_of(follower), 'pending', -1)
      local state, route, tenant, requested =
        unpack(redis.call('HMGET', call_of(follower), 'state', 'route', 'tenant', 'requested'))
      if left == 0 and state == 'waiting' then
        redis.call('HSET', call_of(follower), 'state', 'queued')
        redis.call('HDEL', call_of(follower), 'waits_for')
        index_state(follower, 'waiting', 'queued', requested)
        make_ready(follower, route, tenant)
        routes[route] = true
      elseif left == 0 then
        redis.call('PEXPIRE', call_of(follower), ENDED_TTL)
        passed[#passed + 1] = follower
      end
    end
  end
end

local function finish(key, state, result, call)
  local turn, index = turn_of(key)
  local waited = call[1] == 'waiting'
  redis.call('HSET', call_of(key), 'state', state)
  redis.call('PEXPIRE', call_of(key), waited and WAITING_TTL or ENDED_TTL)
  write('turn:' .. turn, 'r:' .. index, result)
  remove('timers', key)
  remove('lane:' .. call[3], key)
  remove('tool:' .. call[4], key)
  remove('state:' .. call[1], key)
  ended[turn] = (ended[turn] or 0) + 1
  local total = state .. '|' .. call[3] .. '|' .. call[4]
  totals[total] = (totals[total] or 0) + 1
  for inbox in string.gmatch(inboxes_of(turn), '%S+') do
    local entry = told[inbox] or {}
    told[inbox] = entry
    entry[#entry + 1] = key
    entry[#entry + 1] = #result <= SHORT_RESULT and result or ''
  end
  if (call[7] or call[11]) and not waited then pass({key}) end
end

local function postpone(key, state, delay, call)
  redis.call('HSET', call_of(key), 'state', state)
  index_state(key, call[1], state, call[8])
  if state == 'queued' then
    redis.call('ZADD', P .. 'timers', call[9], key)
    make_ready(key, call[10], call[5])
    routes[call[10]] = true
  else
    redis.call('ZADD', P .. 'timers', math.min(NOW + delay, tonumber(call[9])), key)
  end
end

for at = 1, #ARGV, 5 do
  local key, fence, state = ARGV[at], ARGV[at + 1], ARGV[at + 2]
  local call = redis.call('HMGET', call_of(key), 'state', 'fence', 'lane', 'tool', 'tenant',
    'owner', 'followed', 'requested', 'deadline', 'route', 'resource', 'cap')
  local fits = call[1] and call[2] == fence and ALLOWED[call[1]][state]
  if fits then
    if call[1] == 'running' then drop('running:' .. call[6], key) end
    if call[1] == 'queued' then remove('rung:' .. call[10], key) end
    if OPEN[state] then
      if ARGV[at + 3] == 'uncounted' then redis.call('HINCRBY', call_of(key), 'attempts', -1) end
      postpone(key, state, tonumber(ARGV[at + 4]), call)
    else
      finish(key, state, ARGV[at + 3], call)
    end
    if call[12] then
      local _, name = parse_cap(call[12])
      redis.call('SREM', P .. 'busy:' .. name, key)
      redis.call('ZREM', P .. 'parked:' .. name, key)
      wake_parked(name, routes)
    end
  end
  accepted[#accepted + 1] = fits and 1 or 0
end
flush_removed()
flush_dropped()
flush_written()
for turn, count in pairs(ended) do
  local key = P .. 'turn:' .. turn
  if redis.call('HINCRBY', key, 'open', -count) == 0 then redis.call('PEXPIRE', key, ENDED_TTL) end
end
for total, count in pairs(totals) do redis.call('HINCRBY', P .. 'totals', total, count) end
for inbox, entry in pairs(told) do
  for from = 1, #entry, 1000 do
    local part = {unpack(entry, from, math.min(from + 999, #entry))}
    redis.call('XADD', P .. 'inbox:' .. inbox, 'MAXLEN', '~', 2000, '*', unpack(part))
  end
  redis.call('PEXPIRE', P .. 'inbox:' .. inbox, INBOX_TTL)
end
return {accepted, ring_all(routes)}
