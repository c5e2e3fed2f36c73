#!lua flags=allow-oom
-- Write what became of attempts; allowed also when the server is full, so that no result is lost.
-- Only the holder of the fence may write, and only along the table of transitions: the first
-- outcome wins, a late owner is refused. Tells every inbox of the turn, lets successors go. An inbox
-- gets the key and, when it is short, the result itself, which saves its reader a round trip.
-- ARGV: owner (empty when somebody else writes in its place), then for each: key, fence, state, text,
--       delay, note, flags
-- text: the result of a call that ends; with `verify` the one that it has if nothing is found out;
--   what a handler keeps for its next attempt when the state is `running`, which it then stays.
-- note: what the call's history shall say of the attempt, empty for nothing.
-- flags, words between spaces:
--   uncounted  the handler was never called: a call that goes on has its attempt back
--   seen:state only if the call is in that state still
--   idle:N     only if no attempt is under way and N were started
--   holding    the handler may still run: resource and place under a limit stay taken until its owner
--              writes again, which is refused, or is gone
--   verify     the next attempt is to find out what this one did
--   fault      the tool failed in a way that counts against it
--   dead       the call is to be kept for people
--   decided    the note is a person's decision: the record keeps it, and not the history
--   artifact:N the text goes on behind its first N bytes with the whole content of a result that was
--              cut, which the call's record keeps
--   late       the handler of a call that was told to be over has ended: changes nothing but what it
--              held
local owner = ARGV[1]
local accepted, routes, told, turns, ended, totals = {}, {}, {}, {}, {}, {}
local faults, successes = {}, {}
local remove, flush_removed = gather('ZREM')
local drop, flush_dropped = gather('SREM')
local write, flush_written = gather('HSET')

-- The inboxes of a turn, and whether a call of it was answered before its end.
local function turn_facts(turn)
  if not turns[turn] then
    local facts = redis.call('HMGET', P .. 'turn:' .. turn, 'inboxes', 'answered')
    turns[turn] = {inboxes = facts[1] or '', answered = facts[2]}
  end
  return turns[turn]
end

-- A text within a JSON object; empty when there is none. No script may fail half way.
local function read_text(json, name)
  local known, parsed = pcall(cjson.decode, json)
  local found = known and type(parsed) == 'table' and parsed[name]
  return type(found) == 'string' and found or ''
end

-- The conversation went on without this call: what became of it waits there to be told.
local function tell_late(key, turn, index, tenant)
  if redis.call('HEXISTS', P .. 'turn:' .. turn, 'a:' .. index) == 0 then return end
  local meta = redis.call('HGET', P .. 'turn:' .. turn, 'meta') or ''
  -- Alone where that can be done: what stands behind it may hold what this reader of JSON refuses.
  local id = string.match(meta, '^{"schema_version":%d+,"conversation_id":(".-"),"provider":')
  local conversation = read_text(id and '{"conversation_id":' .. id .. '}' or meta, 'conversation_id')
  if conversation ~= '' then
    local late = P .. 'late:' .. #tenant .. ':' .. tenant .. ':' .. conversation
    redis.call('RPUSH', late, key)
    redis.call('LTRIM', late, -1000, -1)
    redis.call('PEXPIRE', late, TTL.longest)
  end
  tell_event('late', key)
end

local function bury(key, result, note, lasts)
  redis.call('HSET', call_of(key), 'result', result, 'code', read_text(note, 'code'), 'ended',
    whole(NOW))
  redis.call('PEXPIRE', call_of(key), lasts and math.max(WAITING_TTL, TTL.dead) or TTL.dead)
  redis.call('ZADD', P .. 'dead', NOW, key)
  redis.call('PEXPIRE', P .. 'dead', TTL.dead)
  tell_event('dead', key)
end

-- What people repeated has ended. With success the dead letter is settled: it is kept, and out of the
-- way.
local function end_replay(key, state, original)
  tell_event('replayed', key)
  local is_kept = redis.call('HEXISTS', call_of(original), 'state') == 1
  if state ~= 'succeeded' or not is_kept then return end
  redis.call('HSET', call_of(original), 'settled_by', key)
  if redis.call('ZREM', P .. 'dead', original) == 0 then return end
  redis.call('ZADD', P .. 'settled', redis.call('HGET', call_of(original), 'ended'), original)
  redis.call('ZREMRANGEBYSCORE', P .. 'settled', '-inf', NOW - TTL.dead)
  redis.call('PEXPIRE', P .. 'settled', TTL.dead)
end

-- A replay of a dead letter is told with that one.
local function is_told(call)
  return call.replay_of and redis.call('HEXISTS', call_of(call.replay_of), 'ended') == 1
end

-- Whether a handler may still run when its attempt is told to be over. The word that it has ended may
-- have come first: the two come over two connections.
local function holds(call, flags)
  return flags.holding and call.state == 'running' and call.left ~= call.fence
end

-- A result with what its model is to be told beside it, which is known since the call was made.
local function noted(result, note)
  if not note or not string.find(result, '^{".*}$') then return result end
  return string.sub(result, 1, -2) .. ',"notes":' .. note .. '}'
end

-- A text, and the artifact that came behind it.
local function apart(text, size)
  if not size then return text end
  return string.sub(text, 1, tonumber(size)), string.sub(text, tonumber(size) + 1)
end

-- Whether the server has no memory left: results are written all the same, artifacts are not.
local function is_full()
  local known, info = pcall(redis.call, 'INFO', 'memory')
  local limit = known and tonumber(string.match(info, 'maxmemory:(%d+)') or 0) or 0
  return limit > 0 and tonumber(string.match(info, 'used_memory:(%d+)') or 0) > limit
end

local function finish(key, state, result, call, flags, note)
  local turn, index = turn_of(key)
  local facts, waited = turn_facts(turn), tonumber(call.pending or 0) > 0
  redis.call('HSET', call_of(key), 'state', state)
  -- What is held is let go by the record.
  local lasts = waited or holds(call, flags)
  redis.call('PEXPIRE', call_of(key), lasts and WAITING_TTL or TTL[state])
  write('turn:' .. turn, 'r:' .. index, result)
  remove('timers', key)
  remove('lane:' .. call.lane, key)
  remove('tool:' .. call.tool, key)
  remove('state:' .. call.state, key)
  if call.cancel then remove('cancelling', key) end
  if call.rate then leave_pace(call.rate, key, call.fence) end
  ended[turn] = (ended[turn] or 0) + 1
  local total = state .. '|' .. call.lane .. '|' .. call.tool
  totals[total] = (totals[total] or 0) + 1
  for inbox in string.gmatch(facts.inboxes, '%S+') do
    local entry = told[inbox] or {}
    told[inbox] = entry
    entry[#entry + 1] = key
    entry[#entry + 1] = #result <= SHORT_RESULT and result or ''
  end
  if facts.answered then tell_late(key, turn, index, call.tenant) end
  if call.replay_of then end_replay(key, state, call.replay_of) end
  if flags.dead and not is_told(call) then bury(key, result, note, lasts) end
  if holds(call, flags) then
    redis.call('HSET', call_of(key), 'holding', 1)
    redis.call('SADD', P .. 'holding:' .. call.owner, key)
  elseif (call.followed or call.resource) and not waited then
    pass({key}, routes)
  end
end

local function postpone(key, state, delay, call, flags, text)
  redis.call('HSET', call_of(key), 'state', state)
  -- To find out what an attempt did is no attempt, and stays to be done when it was not begun.
  if flags.uncounted and not call.verify then redis.call('HINCRBY', call_of(key), 'attempts', -1) end
  if flags.verify then
    redis.call('HSET', call_of(key), 'verify', text)
  elseif call.verify and not flags.uncounted then
    redis.call('HDEL', call_of(key), 'verify')
  end
  index_state(key, call.state, state, call.requested)
  if call.cancel then
    -- Nobody may start it again: it is handed to the next who looks at the timers.
    redis.call('ZADD', P .. 'timers', NOW, key)
  elseif state == 'queued' then
    redis.call('ZADD', P .. 'timers', call.deadline, key)
    make_ready(key, call.route, call.tenant)
    routes[call.route] = true
  else
    redis.call('ZADD', P .. 'timers', math.min(NOW + delay, tonumber(call.deadline)), key)
  end
end

local NO_FLAGS = {}

local function read_flags(text)
  if text == '' then return NO_FLAGS end
  local flags = {}
  for word, value in string.gmatch(text, '(%a+):?([%w_]*)') do flags[word] = value end
  return flags
end

local function may_become(state, other)
  return string.find(ALLOWED, ' ' .. state .. '>' .. other .. ' ', 1, true) ~= nil
end

-- Whether a write may be made: with the call's own fence, along the table of transitions.
local function fits(call, fence, state, flags)
  if flags.late or not call.state or call.fence ~= fence then return false end
  -- An owner has nothing to say any more of a call that others have taken out of its hands.
  if owner ~= '' and (call.state ~= 'running' or call.owner ~= owner) then return false end
  if flags.seen and call.state ~= flags.seen then return false end
  if flags.idle and (call.state == 'running' or call.attempts ~= flags.idle) then return false end
  return may_become(call.state, state) or (call.state == 'running' and state == 'running')
end

-- A history lasts as long as its call.
local function expire_history(key)
  local left = redis.call('PTTL', call_of(key))
  redis.call('PEXPIRE', P .. 'history:' .. key,
    left > 0 and left or math.max(TTL.longest + WAITING_TTL, TTL.dead))
end

-- Write a line of the call's history; one of a late owner too.
local function remember(key, who, when, note)
  local history = P .. 'history:' .. key
  redis.call('RPUSH', history, who .. ' ' .. when .. ' ' .. note)
  redis.call('LTRIM', history, -100, -1)
  expire_history(key)
end

-- What a write has to know of its call. The table is written out: filled in a loop it grows five
-- times, which took as long as to read the call.
local function read_call(key)
  local found = redis.call('HMGET', call_of(key), 'state', 'fence', 'lane', 'tool', 'tenant', 'owner',
    'followed', 'requested', 'deadline', 'route', 'resource', 'cap', 'attempts', 'cancel', 'replay_of',
    'verify', 'left', 'pending', 'note', 'rate')
  return {
    state = found[1], fence = found[2], lane = found[3], tool = found[4], tenant = found[5],
    owner = found[6], followed = found[7], requested = found[8], deadline = found[9],
    route = found[10], resource = found[11], cap = found[12], attempts = found[13],
    cancel = found[14], replay_of = found[15], verify = found[16], left = found[17],
    pending = found[18], note = found[19], rate = found[20]
  }
end

for at = 2, #ARGV, 7 do
  local key, fence, state = ARGV[at], ARGV[at + 1], ARGV[at + 2]
  local note, flags, call = ARGV[at + 5], read_flags(ARGV[at + 6]), read_call(key)
  local text, artifact = apart(ARGV[at + 3], flags.artifact)
  local fit = fits(call, fence, state, flags)
  if fit and state == 'running' then
    redis.call('HSET', call_of(key), 'checkpoint', text)
  elseif fit then
    if call.state == 'running' then drop('running:' .. call.owner, key) end
    if call.state == 'queued' then remove('rung:' .. call.route, key) end
    if OPEN[state] then
      postpone(key, state, tonumber(ARGV[at + 4]), call, flags, text)
    else
      if artifact and not is_full() then redis.call('HSET', call_of(key), 'artifact', artifact) end
      finish(key, state, noted(text, call.note), call, flags, note)
    end
    if call.cap and not holds(call, flags) then
      free_place(key, call.cap, routes)
    end
    if flags.fault then faults[call.tool] = (faults[call.tool] or 0) + 1 end
    if state == 'succeeded' then successes[call.tool] = true end
    if AUDIT then
      note_audit(flags.decided and 'decided' or 'settled', key, call.tool, owner, state,
        call.attempts, flags.decided and note or read_text(note, 'code'), sum_up(state, text))
    end
  elseif owner ~= '' and call.owner == owner and call.fence == fence and not flags.holding then
    if call.state == 'running' then
      redis.call('HSET', call_of(key), 'left', fence)
    else
      let_go(key, owner, routes)
    end
  end
  if note ~= '' and fit and flags.decided then
    redis.call('HSET', call_of(key), 'decision', note)
  elseif note ~= '' and fit then
    remember(key, call.owner or '-', 'counted', note)
  elseif fit and not OPEN[state] and call.state ~= 'running' and tonumber(call.attempts) > 0 then
    expire_history(key)
  elseif note ~= '' and owner ~= '' and call.state and flags.late then
    remember(key, owner, 'late', note)
  end
  if AUDIT and not fit and call.state then
    note_audit('write_refused', key, call.tool, owner, state, call.state, fence, call.fence)
  end
  accepted[#accepted + 1] = fit and 1 or 0
end
flush_removed()
flush_dropped()
flush_written()
for turn, count in pairs(ended) do
  local key = P .. 'turn:' .. turn
  if redis.call('HINCRBY', key, 'open', -count) == 0 then redis.call('PEXPIRE', key, TTL.longest) end
end
for total, count in pairs(totals) do redis.call('HINCRBY', P .. 'totals', total, count) end
for inbox, entry in pairs(told) do
  for from = 1, #entry, 1000 do
    local part = {unpack(entry, from, math.min(from + 999, #entry))}
    redis.call('XADD', P .. 'inbox:' .. inbox, 'MAXLEN', '~', 2000, '*', unpack(part))
  end
  redis.call('PEXPIRE', P .. 'inbox:' .. inbox, INBOX_TTL)
end
for tool in pairs(successes) do redis.call('DEL', P .. 'failing:' .. tool) end
for tool, count in pairs(faults) do
  if not successes[tool] then count_faults(tool, count) end
end
if AUDIT then flush_audit() end
return {accepted, ring_all(routes)}
