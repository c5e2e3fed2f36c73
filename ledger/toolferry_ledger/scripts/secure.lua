#!lua flags=allow-oom
-- Write again that calls are claimed, those that still are under this claim: what replicas have got of
-- this, they have got of the claim too. A primary that was promoted without it says here that it does
-- not know it.
-- KEYS: what the namespace's keys start with
-- ARGV: claim id, then for each call: key, fence
local held = {}
for at = 2, #ARGV, 2 do
  local call = KEYS[1] .. 'call:' .. ARGV[at]
  local state, fence, claim = unpack(redis.call('HMGET', call, 'state', 'fence', 'claim'))
  local is_held = state == 'running' and fence == ARGV[at + 1] and claim == ARGV[1]
  if is_held then redis.call('HSET', call, 'secured', 1) end
  held[#held + 1] = is_held and 1 or 0
end
return held
