-- What every script shares. `P` is the namespace's key prefix; times are whole milliseconds of the
-- server's clock. ALLOWED and OPEN, the tables of transitions, are put in front of this text by
-- scripts.py for the script that asks for them.
local P = KEYS[1]
local LEASE, GRACE, ENDED_TTL, INBOX_TTL = 6000, 2000, 86400000, 600000
local clock = redis.call('TIME')
local NOW = clock[1] * 1000 + math.floor(clock[2] / 1000)

local function call_of(key) return P .. 'call:' .. key end

local function turn_of(key)
  local turn, index = string.match(key, '^(.*):(%d+)$')
  return P .. 'turn:' .. turn, index
end

local function whole(number) return string.format('%.0f', number) end

-- Gathers what is to be done to sets with the same command, to do it to many members at once.
-- `put(set, …)` takes the arguments of one member; a set's members keep their order.
local function gather(command)
  local sets = {}
  local function flush_one(set)
    if #sets[set] > 0 then redis.call(command, P .. set, unpack(sets[set])) end
    sets[set] = {}
  end
  local function put(set, ...)
    local args = sets[set] or {}
    sets[set] = args
    for _, argument in ipairs({...}) do args[#args + 1] = argument end
    if #args >= 1000 then flush_one(set) end
  end
  local function flush()
    for set in pairs(sets) do flush_one(set) end
  end
  return put, flush
end

-- Move a call from one state's index to another's.
local function index_state(key, from, to, requested)
  redis.call('ZREM', P .. 'state:' .. from, key)
  if to then redis.call('ZADD', P .. 'state:' .. to, requested, key) end
end

-- Put a queued call at the end of its tenant's line (or at the front, when its notice was lost).
-- A tenant stands in `tenants` exactly while its line is not empty.
local function make_ready(key, lane, tenant, push)
  local line = P .. 'ready:' .. lane .. ':' .. tenant
  if redis.call(push or 'RPUSH', line, key) == 1 then
    redis.call('RPUSH', P .. 'tenants:' .. lane, tenant)
  end
end

-- Take up to `count` calls out of line, one tenant after the other; a lone tenant's all at once.
-- Calls that ended while they stood in line are passed over.
local function next_in_line(lane, count)
  local taken = {}
  while #taken < count do
    local lone = redis.call('LLEN', P .. 'tenants:' .. lane) == 1
    local tenant = redis.call('LPOP', P .. 'tenants:' .. lane)
    if not tenant then break end
    local line = P .. 'ready:' .. lane .. ':' .. tenant
    local keys = redis.call('LPOP', line, lone and count - #taken or 1)
    if redis.call('EXISTS', line) == 1 then redis.call('RPUSH', P .. 'tenants:' .. lane, tenant) end
    for _, key in ipairs(keys or {}) do
      local state, tool = unpack(redis.call('HMGET', call_of(key), 'state', 'tool'))
      if state == 'queued' then taken[#taken + 1] = {key, tool} end
    end
  end
  return taken
end

-- The admission window: let the next calls of a lane out until as many notices as the window are
-- out. It is filled up when half of it is free, so that notices are published several at a time: a
-- window of 4 with 2 slots still has one notice waiting for each.
-- Appends key, fence, lane, tool, peers for each.
local function ring(lane, out)
  local window = tonumber(redis.call('GET', P .. 'window:' .. lane) or 4)
  local free = window - redis.call('ZCARD', P .. 'rung:' .. lane)
  if free < window / 2 then return end
  local calls = next_in_line(lane, free)
  if #calls == 0 then return end
  local peers = redis.call('HLEN', P .. 'slots:' .. lane)
  local fence = redis.call('INCRBY', P .. 'seq:' .. lane, #calls) - #calls
  local put, flush = gather('ZADD')
  for _, call in ipairs(calls) do
    fence = fence + 1
    redis.call('HSET', call_of(call[1]), 'fence', fence)
    put('rung:' .. lane, fence, call[1])
    local n = #out
    out[n + 1], out[n + 2], out[n + 3], out[n + 4] = call[1], fence, lane, call[2]
    out[n + 5] = peers
  end
  flush()
end

local function ring_all(lanes)
  local out = {}
  for lane in pairs(lanes) do ring(lane, out) end
  return out
end

local function suspect(key, abandoned)
  local call = redis.call('HMGET', call_of(key), 'fence', 'state', 'spec', 'sig', 'attempts',
    'requested', 'started', 'deadline')
  return {key, call[1], call[2], call[3], call[4], call[5], call[6], call[7] or '', call[8],
    whole(NOW), abandoned}
end
