-- Rates: how often calls with the same key may start; for the scripts that start calls, end them, or
-- act on time. A rate is written `limit/milliseconds:key`.
--
-- 1. `started:{rate}` is a sliding window log: when each call started within the last `milliseconds`.
--    A call may start while it holds fewer than `limit`; so no stretch of that time, wherever it
--    begins, ever sees more. (A bucket of tokens lets twice as many through around a pause.)
--    Source: N. Mahdi, "An alternative approach to rate limiting", Figma 2017, on the sliding log.
-- 2. A call that may not start stays queued, without a notice, in `paced:{rate}`: the most urgent
--    first, then by when it came. While others stand there no newcomer passes.
-- 3. `paces` says for each such rate when the log has room again. Whoever looks at the timers then
--    sends on as many as fit, at the front of their lines; each has its place in the log from then
--    on, under its key, and a start takes that place over.
-- 4. A place whose call never starts is forgotten with the log's time. One that starts later than
--    that is judged anew, and stands before all that came after it.
-- Calls that one script sends on at the most: it should stay short. The rest follow at once.
local MOST_WOKEN = 500

local function parse_rate(rate)
  local limit, per = string.match(rate, '^(%d+)/(%d+):')
  return tonumber(limit), tonumber(per)
end

-- A call's name in line: calls that came in the same moment stand in the order of their notices.
-- While a call stands there its fence does not change.
local function paced_name(key, fence) return string.format('%016d:', fence) .. key end

-- How many more calls may start now. What started exactly that long ago still counts: the clock is
-- cut to whole milliseconds.
local function pace_room(rate)
  local limit, per = parse_rate(rate)
  local log = P .. 'started:' .. rate
  redis.call('ZREMRANGEBYSCORE', log, '-inf', '(' .. whole(NOW - per))
  return limit - redis.call('ZCARD', log)
end

local function note_start(rate, name)
  local _, per = parse_rate(rate)
  redis.call('ZADD', P .. 'started:' .. rate, NOW, name)
  redis.call('PEXPIRE', P .. 'started:' .. rate, per + 1000)
end

-- Say when a rate is to be looked at again: when the log has room, as long as somebody waits.
local function set_pace(rate)
  if redis.call('EXISTS', P .. 'paced:' .. rate) == 0 then
    redis.call('ZREM', P .. 'paces', rate)
    return
  end
  local _, per = parse_rate(rate)
  local oldest = redis.call('ZRANGE', P .. 'started:' .. rate, 0, 0, 'WITHSCORES')
  local is_free = not oldest[2] or pace_room(rate) > 0
  redis.call('ZADD', P .. 'paces', is_free and NOW or oldest[2] + per + 1, rate)
end

-- Send on as many calls as may start that wait for a rate; marks their routes. Those that have ended
-- are dropped.
local function wake_paced(rate, routes)
  local woken = {}
  for _ = 1, math.min(MOST_WOKEN, pace_room(rate)) do
    local key, call
    repeat
      local first = redis.call('ZRANGE', P .. 'paced:' .. rate, 0, 0)[1]
      if first then redis.call('ZREM', P .. 'paced:' .. rate, first) end
      key = first and string.sub(first, 18)
      call = key and redis.call('HMGET', call_of(key), 'state', 'route', 'tenant')
    until not key or call[1] == 'queued'
    if not key then break end
    note_start(rate, key)
    redis.call('HDEL', call_of(key), 'waits_for')
    woken[#woken + 1] = {key, call[2], call[3]}
  end
  -- Each goes to the front, so the first goes last.
  for at = #woken, 1, -1 do
    make_ready(woken[at][1], woken[at][2], woken[at][3], 'LPUSH')
    routes[woken[at][2]] = true
  end
  set_pace(rate)
end

-- Tell whether a call may start now, as far as its rate goes; takes its place in the log from it.
local function has_pace(rate, key)
  local was_sent = redis.call('ZREM', P .. 'started:' .. rate, key) == 1
  local is_next = was_sent or redis.call('EXISTS', P .. 'paced:' .. rate) == 0
  return is_next and pace_room(rate) > 0
end

local function wait_for_pace(rate, key, fence, route, requested)
  local rank = parked_rank(route, requested)
  redis.call('ZADD', P .. 'paced:' .. rate, rank, paced_name(key, fence))
  redis.call('HSET', call_of(key), 'waits_for', 'rate:' .. rate)
  redis.call('ZREM', P .. 'rung:' .. route, key)
end

-- A call has ended: it waits no more, and a rate that nobody waits for is not looked at.
local function leave_pace(rate, key, fence)
  local waited = redis.call('ZREM', P .. 'paced:' .. rate, paced_name(key, fence)) == 1
  if waited and redis.call('EXISTS', P .. 'paced:' .. rate) == 0 then
    redis.call('ZREM', P .. 'paces', rate)
  end
end
