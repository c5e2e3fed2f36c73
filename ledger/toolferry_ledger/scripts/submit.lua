-- Write a turn with all its calls and let the first of them out. A turn that is there already is
-- attached to when its digest is the same, and a conflict when it is not.
--
-- A call waits for calls of its own turn as the plan says. Across turns it waits for those that came
-- before it to the same resource: a writer for the readers since the last writer, or else for that
-- one; a reader for the last writer. A call stands in its resource's way until it has ended and all
-- that it waited for has too, so nobody is passed.
-- ARGV: turn id, meta, digest, inbox, then for each call: spec (of one that is refused, what was judged
--       of it) and sig, route, tool, tenant, timeout,
--       deadline, outcome, result, positions of predecessors (separated by commas; behind `!` the
--       position of the one that has to succeed, too), resource
--       (`w:name` or `r:name`, or empty), limit of calls at once (`limit:key`, or empty), rate
--       (`limit/milliseconds:key`, or empty), key of the call that this one repeats for people (or
--       empty), milliseconds in which a person has to decide first (or empty). Behind them, if
--       there is anything to count: charges, see charging.lua.
-- Gives the refused calls among those, each with its position and its result.
local turn_id, meta, digest, inbox = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
local turn = P .. 'turn:' .. turn_id
local known = redis.call('HGET', turn, 'digest')
if known then return {known == digest and 'attached' or 'conflict', whole(NOW), {}, {}} end

local routes, tools, known_routes, straight, open, out, refused = {}, {}, {}, {}, 0, {}, {}
local index, flush = gather('ZADD')
local follow, flush_followed = gather('RPUSH')

-- Let a call go straight out when nobody stands in line and there is room: gives its fence, and 0 to
-- a call that has to stand in line. That saves three commands for each call, a tenth of its script.
local function go_straight(route, key, tool)
  local group = straight[route]
  if not group then
    local free = redis.call('LLEN', P .. 'tenants:' .. route) == 0 and room(route) or 0
    group = {free = free, fence = tonumber(redis.call('GET', P .. 'seq:' .. route) or 0), calls = {}}
    straight[route] = group
  end
  local count = #group.calls
  if count >= group.free then return 0 end
  group.calls[count + 1] = {key, tool}
  return group.fence + count + 1
end

-- The calls of other turns that came before to a resource; takes this one's place there.
local function before_at(resource, key)
  local mode, name = string.match(resource, '^(%a):(.*)$')
  local writer, readers = P .. 'writer:' .. name, P .. 'readers:' .. name
  local before = mode == 'w' and redis.call('SMEMBERS', readers) or {}
  if #before == 0 then before = {redis.call('GET', writer) or nil} end
  if mode == 'w' then
    redis.call('SET', writer, key)
    redis.call('DEL', readers)
  else
    redis.call('SADD', readers, key)
  end
  local others = {}
  for _, other in ipairs(before) do
    if turn_of(other) ~= turn_id then others[#others + 1] = other end
  end
  return others
end

-- The plans of calls that were refused here: who was to follow one follows those that it was to.
local stood_aside = {}

local function add_planned(planned, before, seen)
  for position in string.gmatch(planned, '%d+') do
    if stood_aside[position] and not seen[position] then
      seen[position] = true
      add_planned(stood_aside[position], before, seen)
    elseif not seen[position] and redis.call('HEXISTS', turn, 'r:' .. position) == 0 then
      seen[position] = true
      before[#before + 1] = turn_id .. ':' .. position
    end
  end
end

-- Have a call follow those that it waits for; gives how many, and the first of them.
local function wait_for(key, planned, resource)
  local before = resource ~= '' and before_at(resource, key) or {}
  add_planned(planned, before, {})
  for _, other in ipairs(before) do
    follow('next:' .. other, key)
    redis.call('HSET', call_of(other), 'followed', 1)
  end
  return #before, before[1]
end

-- Let a call and the one that it repeats name each other.
local function repeat_call(key, original)
  redis.call('HSET', call_of(key), 'replay_of', original)
  -- A record that was erased or has expired is not begun again: nothing would end it.
  if redis.call('HEXISTS', call_of(original), 'state') == 0 then return end
  local known = redis.call('HGET', call_of(original), 'replays')
  redis.call('HSET', call_of(original), 'replays', known and known .. '\n' .. key or key)
end

local lanes = {}
local function lane_of(route)
  lanes[route] = lanes[route] or string.match(route, '^.*%.([^.]*)%.[^.]*$')
  return lanes[route]
end

local requested = whole(NOW)
-- How calls of this turn have ended that are not to run (again), by their positions.
local outcomes = {}

-- Have a call follow one that has to succeed. That one may have ended already.
local function link_to(key, position)
  redis.call('HSET', call_of(key), 'link', turn_id .. ':' .. position)
  local outcome = outcomes[tonumber(position)]
  if outcome and outcome ~= 'succeeded' then redis.call('HSET', call_of(key), 'halted', 1) end
end

local calls = math.floor((#ARGV - 4) / 15)
if (#ARGV - 4) % 15 == 1 then open_charges(ARGV[#ARGV]) end
for i = 0, calls - 1 do
  local at = 4 + i * 15
  local route, tool, tenant = ARGV[at + 3], ARGV[at + 4], ARGV[at + 5]
  local outcome, key, cap = ARGV[at + 8], turn_id .. ':' .. i, ARGV[at + 12]
  local lane = lane_of(route)
  local result, note = ARGV[at + 9], nil
  if charges and outcome == '' then
    local refusal
    refusal, note = charge_call(i)
    if refusal then
      outcome, result, stood_aside[tostring(i)] = 'denied', refusal, ARGV[at + 10]
      refused[#refused + 1] = i
      refused[#refused + 1] = refusal
    end
  end
  if outcome ~= '' then
    outcomes[i] = outcome
    redis.call('HSET', turn, 'r:' .. i, result)
    local judged = ARGV[at + 1] ~= ''
    if judged then redis.call('HSET', turn, 'd:' .. i, ARGV[at + 2] .. ARGV[at + 1]) end
    if AUDIT and judged then
      note_audit('refused', key, tool, tenant, outcome, sum_up(outcome, result))
    elseif AUDIT then
      -- A turn that the server had lost is written anew: nobody has refused what had ended.
      note_audit('settled', key, tool, '', outcome, '', '', sum_up(outcome, result))
    end
    redis.call('HINCRBY', P .. 'totals', outcome .. '|' .. lane .. '|' .. tool, 1)
  else
    local pending, first = 0, nil
    if ARGV[at + 10] ~= '' or ARGV[at + 11] ~= '' then
      pending, first = wait_for(key, ARGV[at + 10], ARGV[at + 11])
    end
    local state = pending == 0 and 'queued' or 'waiting'
    local asks = ARGV[at + 15]
    if asks ~= '' then state = 'awaiting_approval' end
    local fence = state == 'queued' and go_straight(route, key, tool) or 0
    local deadline = NOW + ARGV[at + 7]
    redis.call('HSET', call_of(key), 'spec', ARGV[at + 1], 'sig', ARGV[at + 2], 'route', route,
      'lane', lane, 'tool', tool, 'tenant', tenant, 'timeout', ARGV[at + 6],
      'deadline', whole(deadline), 'state', state, 'fence', fence, 'attempts', 0,
      'requested', requested, 'pending', pending)
    if ARGV[at + 11] ~= '' then redis.call('HSET', call_of(key), 'resource', ARGV[at + 11]) end
    if note then redis.call('HSET', call_of(key), 'note', note) end
    if cap ~= '' then redis.call('HSET', call_of(key), 'cap', cap) end
    if ARGV[at + 13] ~= '' then redis.call('HSET', call_of(key), 'rate', ARGV[at + 13]) end
    if ARGV[at + 14] ~= '' then repeat_call(key, ARGV[at + 14]) end
    if first then redis.call('HSET', call_of(key), 'waits_for', first) end
    local link = string.match(ARGV[at + 10], '!(%d+)$')
    if link then link_to(key, link) end
    local due = deadline
    if asks ~= '' then
      due = math.min(deadline, NOW + asks)
      redis.call('HSET', call_of(key), 'decide_by', whole(due))
    end
    index('timers', due, key)
    index('state:' .. state, NOW, key)
    index('lane:' .. lane, NOW, key)
    index('tool:' .. tool, NOW, key)
    if state == 'queued' and fence == 0 then
      make_ready(key, route, tenant)
      routes[route] = true
    end
    if AUDIT then note_audit('requested', key, tool, tenant, state) end
    tools[tool], known_routes[route] = true, true
    open = open + 1
  end
end
flush()
flush_followed()
if charges then close_charges() end
for tool in pairs(tools) do redis.call('SADD', P .. 'tools', tool) end
for route in pairs(known_routes) do redis.call('SADD', P .. 'routes', route) end
redis.call('HSET', turn, 'meta', meta, 'digest', digest, 'size', calls, 'open', open,
  'inboxes', inbox, 'requested', requested)
if open == 0 then redis.call('PEXPIRE', turn, TTL.longest) end
for route, group in pairs(straight) do
  if #group.calls > 0 then let_out(route, group.calls, out) end
end
if AUDIT then flush_audit() end
return {'created', whole(NOW), ring_all(routes, out), refused}
