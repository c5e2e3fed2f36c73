#!lua flags=allow-oom
-- Answer calls of a turn that have not ended, so that the conversation can go on; the first answer
-- stays. Gives for each whether that is its answer now.
-- ARGV: turn id, then for each: position, answer
local turn, answered = P .. 'turn:' .. ARGV[1], {}
if redis.call('EXISTS', turn) == 0 then return answered end
for at = 2, #ARGV, 2 do
  local given = redis.call('HEXISTS', turn, 'a:' .. ARGV[at]) == 1
  if not given and redis.call('HEXISTS', turn, 'r:' .. ARGV[at]) == 0 then
    redis.call('HSET', turn, 'a:' .. ARGV[at], ARGV[at + 1], 'answered', 1)
    if AUDIT then note_audit('answered', ARGV[1] .. ':' .. ARGV[at], '', whole(#ARGV[at + 1])) end
    given = true
  end
  answered[#answered + 1] = given and 1 or 0
end
if AUDIT then flush_audit() end
return answered
