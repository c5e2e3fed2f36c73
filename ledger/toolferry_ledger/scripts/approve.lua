-- Write a person's yes to a call, if it still stands as that person saw it. When nobody else has to
-- agree the call goes on, once: in line, or after those that it waits for.
-- Gives a word, `taken`, `changed` or `closed`, and the notices to publish.
-- ARGV: key, signature and grants that were seen, spec, signature, grants, decision, how many more
--       people have to agree
local key, seen_sig, seen_grants, spec, sig, grants, decision, more = unpack(ARGV)
local state, pending, deadline, decide_by, route, tenant, requested, known_sig, known_grants, tool =
  unpack(redis.call('HMGET', call_of(key), 'state', 'pending', 'deadline', 'decide_by', 'route',
    'tenant', 'requested', 'sig', 'grants', 'tool'))
if state ~= 'awaiting_approval' or tonumber(decide_by or deadline) <= NOW then
  return {'closed', {}}
end
if known_sig ~= seen_sig or (known_grants or '') ~= seen_grants then return {'changed', {}} end
redis.call('HSET', call_of(key), 'spec', spec, 'sig', sig, 'grants', grants)
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
  note_audit('decided', key, tool, '', follows, '0', decision, '', '', '0')
  flush_audit()
end
return {'taken', ring_all(routes)}
