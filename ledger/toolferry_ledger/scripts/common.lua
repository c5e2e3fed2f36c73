-- What every script shares. `P` is the namespace's key prefix; times are whole milliseconds of the
-- server's clock. ALLOWED, the table of transitions, is put in front of this text by scripts.py.
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

-- Number a call for a notice; nil when it ended while it stood in line.
local function number_notice(key, lane)
  local state, tool, timeout, deadline =
    unpack(redis.call('HMGET', call_of(key), 'state', 'tool', 'timeout', 'deadline'))
  if state ~= 'queued' then return nil end
  local fence = redis.call('INCR', P .. 'seq:' .. lane)
  redis.call('HSET', call_of(key), 'fence', fence)
  redis.call('ZADD', P .. 'rung:' .. lane, fence, key)
  return fence, tool, math.max(1, math.min(tonumber(timeout), tonumber(deadline) - NOW))
end

-- The admission window: let the next calls of a lane out, one tenant after the other, until as many
-- notices as the window are out. It is filled up when half of it is free, so that notices are
-- published several at a time: a window of 4 with 2 slots still has one notice waiting for each.
-- Appends key, fence, lane, tool, limit, peers for each.
local function ring(lane, out)
  local window = tonumber(redis.call('GET', P .. 'window:' .. lane) or 4)
  local free = window - redis.call('ZCARD', P .. 'rung:' .. lane)
  if free < window / 2 then return end
  local peers = nil
  while free > 0 do
    local tenant = redis.call('LPOP', P .. 'tenants:' .. lane)
    if not tenant then return end
    local line = P .. 'ready:' .. lane .. ':' .. tenant
    local key = redis.call('LPOP', line)
    if redis.call('EXISTS', line) == 1 then redis.call('RPUSH', P .. 'tenants:' .. lane, tenant) end
    local fence, tool, limit = number_notice(key, lane)
    if fence then
      peers = peers or redis.call('HLEN', P .. 'slots:' .. lane)
      local n = #out
      out[n + 1], out[n + 2], out[n + 3] = key, fence, lane
      out[n + 4], out[n + 5], out[n + 6] = tool, limit, peers
      free = free - 1
    end
  end
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
