-- Let a call go on about which a person has decided, once: in line, or after those that it waits for.
-- Gives whether it did, and the notices to publish.
-- ARGV: key, decision
local key, routes = ARGV[1], {}
local state, pending, deadline, route, tenant, requested, tool = unpack(redis.call('HMGET',
  call_of(key), 'state', 'pending', 'deadline', 'route', 'tenant', 'requested', 'tool'))
if state ~= 'awaiting_approval' or tonumber(deadline) <= NOW then return {0, {}} end
local follows = tonumber(pending) > 0 and 'waiting' or 'queued'
redis.call('HSET', call_of(key), 'state', follows, 'decision', ARGV[2])
index_state(key, state, follows, requested)
if follows == 'queued' then
  make_ready(key, route, tenant)
  routes[route] = true
end
if AUDIT then
  note_audit('decided', key, tool, '', follows, '0', ARGV[2], '', '', '0')
  flush_audit()
end
return {1, ring_all(routes)}
