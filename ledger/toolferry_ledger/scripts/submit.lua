-- Write a turn with all its calls and let the first of them out. A turn that is there already is
-- attached to when its digest is the same, and a conflict when it is not.
-- ARGV: turn id, meta, digest, inbox, then for each call: spec, sig, lane, tool, tenant,
--       timeout, deadline, outcome, result, positions of predecessors (separated by commas)
local turn_id, meta, digest, inbox = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
local turn = P .. 'turn:' .. turn_id
local known = redis.call('HGET', turn, 'digest')
if known then return {known == digest and 'attached' or 'conflict', whole(NOW), {}} end

local lanes, tools, successors, straight, open, out = {}, {}, {}, {}, 0, {}
local index, flush = gather('ZADD')

-- Let a call go straight out when nobody stands in line and there is room: gives its fence, and 0 to
-- a call that has to stand in line. That saves three commands for each call, a tenth of its script.
local function go_straight(lane, key, tool)
  local group = straight[lane]
  if not group then
    local free = redis.call('LLEN', P .. 'tenants:' .. lane) == 0 and room(lane) or 0
    group = {free = free, fence = tonumber(redis.call('GET', P .. 'seq:' .. lane) or 0), calls = {}}
    straight[lane] = group
  end
  local count = #group.calls
  if count >= group.free then return 0 end
  group.calls[count + 1] = {key, tool}
  return group.fence + count + 1
end

local calls = (#ARGV - 4) / 10
for i = 0, calls - 1 do
  local at = 4 + i * 10
  local spec, sig, lane, tool, tenant = ARGV[at + 1], ARGV[at + 2], ARGV[at + 3], ARGV[at + 4], ARGV[at + 5]
  local outcome, key = ARGV[at + 8], turn_id .. ':' .. i
  if outcome ~= '' then
    redis.call('HSET', turn, 'r:' .. i, ARGV[at + 9])
    redis.call('HINCRBY', P .. 'totals', outcome .. '|' .. lane .. '|' .. tool, 1)
  else
    local pending = 0
    for before in string.gmatch(ARGV[at + 10], '%d+') do
      if redis.call('HEXISTS', turn, 'r:' .. before) == 0 then
        pending = pending + 1
        successors[before] = (successors[before] or '') .. i .. ' '
      end
    end
    local state = pending == 0 and 'queued' or 'waiting'
    local fence = pending == 0 and go_straight(lane, key, tool) or 0
    local deadline = NOW + ARGV[at + 7]
    redis.call('HSET', call_of(key), 'spec', spec, 'sig', sig, 'lane', lane, 'tool', tool,
      'tenant', tenant, 'timeout', ARGV[at + 6], 'deadline', whole(deadline), 'state', state,
      'fence', fence, 'attempts', 0, 'requested', whole(NOW), 'pending', pending)
    index('timers', deadline, key)
    index('state:' .. state, NOW, key)
    index('lane:' .. lane, NOW, key)
    index('tool:' .. tool, NOW, key)
    if state == 'queued' and fence == 0 then
      make_ready(key, lane, tenant)
      lanes[lane] = true
    end
    tools[tool] = true
    open = open + 1
  end
end
flush()
for tool in pairs(tools) do redis.call('SADD', P .. 'tools', tool) end
for before, list in pairs(successors) do
  redis.call('HSET', call_of(turn_id .. ':' .. before), 'next', list)
end
redis.call('HSET', turn, 'meta', meta, 'digest', digest, 'size', calls, 'open', open,
  'inboxes', inbox, 'requested', whole(NOW))
if open == 0 then redis.call('PEXPIRE', turn, ENDED_TTL) end
for lane, group in pairs(straight) do
  if #group.calls > 0 then let_out(lane, group.calls, out) end
end
for lane in pairs(lanes) do ring(lane, out) end
return {'created', whole(NOW), out}
