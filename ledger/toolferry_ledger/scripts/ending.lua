-- What happens when calls end; for the scripts that end them or clean up after them, which write
-- what AUDIT is told.
-- A call that ended while it waited has to stay until all that it waited for has ended; no deadline
-- is longer than 7 days.
local SHORT_RESULT, WAITING_TTL = 2048, 8 * 86400000

-- Let go of a resource: nobody who comes now has to wait for this call.
local function release_resource(key, resource)
  local name = string.match(resource, '^%a:(.*)$')
  redis.call('SREM', P .. 'readers:' .. name, key)
  if redis.call('GET', P .. 'writer:' .. name) == key then redis.call('DEL', P .. 'writer:' .. name) end
end

-- A call will not run because the one did not succeed that it is linked to: whoever claims it is told.
-- Of one that waits for people nobody needs to decide any more: whoever looks at the timers ends it.
local function halt(key, state)
  redis.call('HSET', call_of(key), 'halted', 1)
  if state == 'awaiting_approval' then
    redis.call('HSET', call_of(key), 'cancel', 'an earlier action in this turn failed')
    redis.call('ZADD', P .. 'timers', NOW, key)
  end
end

-- A call has ended, and so has all that it waited for: those that wait for it go on. One that ended
-- while it waited passes here only now, so that nobody overtakes what it waited for.
local function pass(passed, routes)
  while #passed > 0 do
    local key = table.remove(passed)
    local resource, followed, ended =
      unpack(redis.call('HMGET', call_of(key), 'resource', 'followed', 'state'))
    if resource then release_resource(key, resource) end
    local followers = followed and redis.call('LRANGE', P .. 'next:' .. key, 0, -1) or {}
    if followed then redis.call('DEL', P .. 'next:' .. key) end
    for _, follower in ipairs(followers) do
      local left = redis.call('HINCRBY', call_of(follower), 'pending', -1)
      local state, route, tenant, requested, link = unpack(
        redis.call('HMGET', call_of(follower), 'state', 'route', 'tenant', 'requested', 'link'))
      if link == key and ended ~= 'succeeded' then halt(follower, state) end
      if left == 0 and state == 'waiting' then
        redis.call('HSET', call_of(follower), 'state', 'queued')
        redis.call('HDEL', call_of(follower), 'waits_for')
        index_state(follower, 'waiting', 'queued', requested)
        make_ready(follower, route, tenant)
        if AUDIT then
          note_audit('queued', follower, redis.call('HGET', call_of(follower), 'tool'), state)
        end
        routes[route] = true
      elseif left == 0 and state == 'awaiting_approval' then
        redis.call('HDEL', call_of(follower), 'waits_for')
      elseif left == 0 then
        redis.call('PEXPIRE', call_of(follower), TTL[state] or TTL.longest)
        passed[#passed + 1] = follower
      end
    end
  end
end

-- Give back a call's place under its limit.
local function free_place(key, cap, routes)
  local _, name = parse_cap(cap)
  redis.call('SREM', P .. 'busy:' .. name, key)
  redis.call('ZREM', P .. 'parked:' .. name, key)
  wake_parked(name, routes)
end

-- A handler that outlived its call has ended, or its process has: what it held is free.
local function let_go(key, owner, routes)
  if redis.call('SREM', P .. 'holding:' .. owner, key) == 0 then return end
  local cap, state, dead = unpack(redis.call('HMGET', call_of(key), 'cap', 'state', 'code'))
  redis.call('HDEL', call_of(key), 'holding')
  redis.call('PEXPIRE', call_of(key), dead and TTL.dead or TTL[state] or TTL.longest)
  pass({key}, routes)
  if cap then free_place(key, cap, routes) end
end
