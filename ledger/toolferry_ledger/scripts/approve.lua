-- Write a person's yes to a call, if it still stands as that person saw it. When nobody else has to
-- agree the call goes on, once: in line, or after those that it waits for.
-- Gives a word, `taken`, `changed`, `closed` or `spent`, and the notices to publish.
-- ARGV: key, signature and grants that were seen, spec, signature, grants, decision, how many more
--       people have to agree, the standing approval that this is a use of (missing when a person
--       says so now)
local key, seen_sig, seen_grants, spec, sig, grants, decision, more, standing = unpack(ARGV)

-- Take one use of a standing approval; gives how many are left, nil when it is spent or gone.
local function take_use(name)
  local record = P .. 'allowance:' .. name
  local uses, whose = unpack(redis.call('HMGET', record, 'left', 'whose'))
  if (tonumber(uses or 0) or 0) < 1 then return nil end
  local left = redis.call('HINCRBY', record, 'left', -1)
  if left == 0 then redis.call('ZREM', P .. 'allowed:' .. whose, name) end
  return whole(left)
end

local state, pending, deadline, decide_by, route, tenant, requested, known_sig, known_grants, tool =
  unpack(redis.call('HMGET', call_of(key), 'state', 'pending', 'deadline', 'decide_by', 'route',
    'tenant', 'requested', 'sig', 'grants', 'tool'))
if state ~= 'awaiting_approval' or tonumber(decide_by or deadline) <= NOW then
  return {'closed', {}}
end
if known_sig ~= seen_sig or (known_grants or '') ~= seen_grants then return {'changed', {}} end
local left = standing and take_use(standing)
if standing and not left then return {'spent', {}} end
local asked = AUDIT and redis.call('HGET', call_of(key), 'spec')
if AUDIT and asked ~= spec then
  -- The audit tells what was requested from the record, and a moment later than this.
  redis.call('HSETNX', call_of(key), 'asked', asked)
  redis.call('HSETNX', call_of(key), 'asked_sig', known_sig)
  note_audit('edited', key, tool, spec, sig, decision)
end
redis.call('HSET', call_of(key), 'spec', spec, 'sig', sig, 'grants', grants)
if left then redis.call('HSET', call_of(key), 'uses_left', left) end
local follows, routes = state, {}
if more == '0' then
  follows = tonumber(pending) > 0 and 'waiting' or 'queued'
  redis.call('HSET', call_of(key), 'state', follows, 'decision', decision)
  redis.call('ZADD', P .. 'timers', deadline, key)
  index_state(key, state, follows, requested)
end
if follows == 'queued' then
  make_ready(key, route, tenant)
  routes[route] = true
end
if AUDIT then
  note_audit('decided', key, tool, '', follows, '0', decision, '', '', '0', left or '', sig)
  flush_audit()
end
return {'taken', ring_all(routes)}
