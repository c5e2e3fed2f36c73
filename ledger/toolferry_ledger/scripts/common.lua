-- What every script shares. `P` is the namespace's key prefix, `QUEUES` what the names of its queues
-- start with when they are in this server, else empty; times are whole milliseconds of the server's
-- clock. scripts.py puts in front of this text the numbers that are settings: LEASE, TTL (how long
-- records are kept, by outcome), BREAKER; and, for the script that asks for them, the tables of
-- transitions, ALLOWED and OPEN.
-- A route is `queue.lane.priority`, a pool `queue.lane`: the workers that serve three routes.
local P, QUEUES = KEYS[1], KEYS[2]
local GRACE, INBOX_TTL, DAY = 2000, 600000, 86400000
-- Notices of a route that are out at the least: a worker that starts must find work.
local MIN_WINDOW = 4
local clock = redis.call('TIME')
local NOW = clock[1] * 1000 + math.floor(clock[2] / 1000)

local function call_of(key) return P .. 'call:' .. key end

-- The name of a call's turn, and its position there.
local function turn_of(key) return string.match(key, '^(.*):(%d+)$') end

local function pool_of(route) return string.match(route, '^(.*)%.') end

local function whole(number) return string.format('%.0f', number) end

-- Gathers what is to be done to keys with the same command, to do it to many members at once.
-- `put(key, first, second)` takes the one or two arguments of a member; members keep their order.
local function gather(command)
  local keys = {}
  local function flush_one(key)
    if #keys[key] > 0 then redis.call(command, P .. key, unpack(keys[key])) end
    keys[key] = {}
  end
  local function put(key, first, second)
    local args = keys[key]
    if not args then
      args = {}
      keys[key] = args
    end
    local count = #args
    args[count + 1], args[count + 2] = first, second
    if count >= 1000 then flush_one(key) end
  end
  local function flush()
    for key in pairs(keys) do flush_one(key) end
  end
  return put, flush
end

-- Move a call from one state's index to another's.
local function index_state(key, from, to, requested)
  redis.call('ZREM', P .. 'state:' .. from, key)
  if to then redis.call('ZADD', P .. 'state:' .. to, requested, key) end
end

-- Put a queued call at the end of its tenant's line (or at the front, when it has stood in line
-- before). A tenant stands in `tenants` exactly while its line is not empty.
local function make_ready(key, route, tenant, push)
  local line = P .. 'ready:' .. route .. ':' .. tenant
  if redis.call(push or 'RPUSH', line, key) == 1 then
    redis.call('RPUSH', P .. 'tenants:' .. route, tenant)
  end
end

-- Take up to `count` calls out of line, one tenant after the other; a lone tenant's all at once.
-- Calls that ended while they stood in line are passed over.
local function next_in_line(route, count)
  local taken = {}
  while #taken < count do
    local lone = redis.call('LLEN', P .. 'tenants:' .. route) == 1
    local tenant = redis.call('LPOP', P .. 'tenants:' .. route)
    if not tenant then break end
    local line = P .. 'ready:' .. route .. ':' .. tenant
    local keys = redis.call('LPOP', line, lone and count - #taken or 1)
    if redis.call('EXISTS', line) == 1 then redis.call('RPUSH', P .. 'tenants:' .. route, tenant) end
    for _, key in ipairs(keys or {}) do
      local state, tool = unpack(redis.call('HMGET', call_of(key), 'state', 'tool'))
      if state == 'queued' then taken[#taken + 1] = {key, tool} end
    end
  end
  return taken
end

-- How many calls of one turn travel in one notice. In the process lane each goes alone, and its
-- child's death loses no other. In the async lane each is claimed in one script run, which should
-- stay short: 32 at the most. Each live process should get four notices of a large turn, so that a
-- slow one can be made up for; but a share of 16 is not split any further, since a notice costs about
-- as much as running five empty calls (10 calls to one process took 9.8 ms in four notices and 5.5
-- ms in one).
local function batch_size(calls, pool)
  if not string.find(pool, '.async', 1, true) then return 1 end
  local share = math.ceil(calls / math.max(1, redis.call('HLEN', P .. 'slots:' .. pool)))
  return math.min(32, math.max(math.ceil(share / 4), math.min(share, 16)))
end

-- Publish a notice with the script that made it, so that there is nothing between the two to lose:
-- a message of Celery's protocol 2 as kombu's Redis transport has it. `bell.py` writes the same
-- through kombu when the broker is another server. Workers take from the right.
local function publish(route, tool, calls, push)
  local id = calls[1][1] .. '.' .. calls[1][2]
  local null = cjson.null
  redis.call(push or 'LPUSH', QUEUES .. route, cjson.encode({
    body = cjson.encode({{calls}, {}, {callbacks = null, errbacks = null, chain = null, chord = null}}),
    ['content-type'] = 'application/json',
    ['content-encoding'] = 'utf-8',
    headers = {
      lang = 'py', task = 'toolferry.attempt', id = id, root_id = id, parent_id = null, group = null,
      shadow = #calls == 1 and tool or tool .. ' +' .. #calls - 1, eta = null, expires = null,
      retries = 0, timelimit = {null, null}, argsrepr = '(' .. #calls .. ' calls)',
      kwargsrepr = '{}', ignore_result = true
    },
    properties = {
      correlation_id = id, delivery_mode = 2, delivery_tag = id, priority = 0,
      delivery_info = {exchange = '', routing_key = QUEUES .. route}
    }
  }))
end

-- Have a notice of calls, {key, fence} each, published: here, or by the caller when the queues are
-- elsewhere, who finds key, fence, route, tool, notice of each in `out`; those with the same notice
-- travel together.
local function tell(route, tool, calls, out, push)
  if QUEUES ~= '' then return publish(route, tool, calls, push) end
  for _, call in ipairs(calls) do
    for _, field in ipairs({call[1], call[2], route, tool, calls[1][2]}) do out[#out + 1] = field end
  end
end

-- How many more notices of a route may be out: the admission window. It is filled up when half of it
-- is free, so that notices are published several at a time: a window of 4 with 2 slots still has one
-- notice waiting for each.
local function room(route)
  local window = tonumber(redis.call('GET', P .. 'window:' .. pool_of(route)) or MIN_WINDOW)
  local free = window - redis.call('ZCARD', P .. 'rung:' .. route)
  return free < window / 2 and 0 or free
end

-- Number the notices of calls, {key, tool} each, and let them out; returns the number before the
-- first, whose fence is one higher, and so on.
local function let_out(route, calls, out)
  local size = batch_size(#calls, pool_of(route))
  local fence = redis.call('INCRBY', P .. 'seq:' .. route, #calls) - #calls
  local put, flush = gather('ZADD')
  for from = 1, #calls, size do
    local together = {}
    for at = from, math.min(from + size - 1, #calls) do
      put('rung:' .. route, fence + at, calls[at][1])
      together[#together + 1] = {calls[at][1], fence + at}
    end
    tell(route, calls[from][2], together, out)
  end
  flush()
  return fence
end

-- Let the next calls of a route out, as far as there is room.
local function ring(route, out)
  local free = room(route)
  if free == 0 then return end
  local calls = next_in_line(route, free)
  if #calls == 0 then return end
  local fence = let_out(route, calls, out)
  for at, call in ipairs(calls) do redis.call('HSET', call_of(call[1]), 'fence', fence + at) end
end

local function ring_all(routes, out)
  out = out or {}
  for route in pairs(routes) do ring(route, out) end
  return out
end

-- Tell programs that listen of something that people or conversations should hear of.
local function tell_event(kind, key)
  redis.call('XADD', P .. 'events', 'MAXLEN', '~', 10000, '*', 'kind', kind, 'call', key)
  redis.call('PEXPIRE', P .. 'events', TTL.longest)
end

-- Ask a worker to stop a call that it runs. The mark on the call is what counts: the sweeper asks
-- again for as long as the call runs.
local function order_stop(key, owner, fence)
  local orders = P .. 'orders:' .. owner
  redis.call('RPUSH', orders, key .. ' ' .. fence)
  redis.call('PEXPIRE', orders, 60000)
end

-- Count faults of a tool in a row; after so many no call of it is started for a while. When that is
-- over, one more fault is enough.
local function count_faults(tool, count)
  local failing = P .. 'failing:' .. tool
  local faults = redis.call('INCRBY', failing, count)
  redis.call('PEXPIRE', failing, BREAKER.window)
  if faults >= BREAKER.faults then
    redis.call('SET', P .. 'shed:' .. tool, 1, 'PX', BREAKER.pause)
    redis.call('SET', failing, BREAKER.faults - 1, 'PX', BREAKER.window + BREAKER.pause)
  end
end

-- A limit on how many calls run at once is written `limit:key`.
local function parse_cap(cap)
  local limit, key = string.match(cap, '^(%d+):(.*)$')
  return tonumber(limit), key
end

local RANKS = {interactive = 0, normal = 1, bulk = 2}

-- Where a call stands among those that are parked at a limit: the most urgent first, then the oldest.
local function parked_rank(route, requested)
  return (RANKS[string.match(route, '[^.]*$')] or 1) * 1e14 + requested
end

local function is_served(pool)
  for _, owner in ipairs(redis.call('HKEYS', P .. 'slots:' .. pool)) do
    if tonumber(redis.call('ZSCORE', P .. 'owners', owner) or 0) > NOW then return true end
  end
  return false
end

-- The parked call that goes on next, of those that its own limit lets run: the first whose pool has a
-- worker, else the first of all, since a worker may come. Those that have ended are dropped.
local function next_parked(key)
  local first
  local busy = redis.call('SCARD', P .. 'busy:' .. key)
  for _, call in ipairs(redis.call('ZRANGE', P .. 'parked:' .. key, 0, 99)) do
    local state, route, tenant, cap =
      unpack(redis.call('HMGET', call_of(call), 'state', 'route', 'tenant', 'cap'))
    if state ~= 'queued' then
      redis.call('ZREM', P .. 'parked:' .. key, call)
    elseif busy >= parse_cap(cap) then
      -- Another release of its tool may have another limit.
    elseif is_served(pool_of(route)) then
      return {call, route, tenant}
    else
      first = first or {call, route, tenant}
    end
  end
  return first
end

-- Send on as many calls as may run that wait for a limit; marks their routes. Each has its place from
-- now on, so that no newcomer takes it before it is claimed.
local function wake_parked(key, routes)
  for call in next_parked, key do
    redis.call('ZREM', P .. 'parked:' .. key, call[1])
    redis.call('SADD', P .. 'busy:' .. key, call[1])
    redis.call('HDEL', call_of(call[1]), 'waits_for')
    make_ready(call[1], call[2], call[3], 'LPUSH')
    routes[call[2]] = true
  end
end

local function suspect(key, abandoned)
  local call = redis.call('HMGET', call_of(key), 'fence', 'state', 'spec', 'sig', 'attempts',
    'requested', 'started', 'deadline', 'waits_for', 'cancel', 'verify')
  return {key, call[1], call[2], call[3], call[4], call[5], call[6], call[7] or '', call[8],
    whole(NOW), abandoned, call[9] or '', call[10], call[11] or ''}
end
