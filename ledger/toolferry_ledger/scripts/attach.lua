-- Have the results of a turn told to one more inbox, and read the whole turn.
-- ARGV: turn id, inbox
local turn = P .. 'turn:' .. ARGV[1]
local inboxes = redis.call('HGET', turn, 'inboxes')
if inboxes and ARGV[2] ~= '' and not string.find(' ' .. inboxes .. ' ', ' ' .. ARGV[2] .. ' ', 1, true) then
  redis.call('HSET', turn, 'inboxes', inboxes .. ' ' .. ARGV[2])
end
return redis.call('HGETALL', turn)
