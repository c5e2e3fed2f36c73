#!lua flags=allow-oom
-- Erase what is kept of calls that have ended, but for their turns. Gives a word for each: `open`, it
-- has not ended and nothing was done; `held`, its data is gone, and what keeps its place before
-- others stays until they may pass; `gone`; `none`, there was nothing.
-- ARGV: keys
local KEEP = {fence = true, owner = true, resource = true, followed = true, cap = true,
  holding = true, pending = true}

-- A call that ended while it stood in line stands there still.
local function leave_line(key, route, tenant)
  local line = P .. 'ready:' .. route .. ':' .. tenant
  if redis.call('LREM', line, 0, key) > 0 and redis.call('EXISTS', line) == 0 then
    redis.call('LREM', P .. 'tenants:' .. route, 0, tenant)
  end
end

local function strip(key)
  for _, field in ipairs(redis.call('HKEYS', call_of(key))) do
    if not KEEP[field] then redis.call('HDEL', call_of(key), field) end
  end
end

local words = {}
for _, key in ipairs(ARGV) do
  local state, route, tenant, pending, holding, tool = unpack(redis.call('HMGET', call_of(key),
    'state', 'route', 'tenant', 'pending', 'holding', 'tool'))
  if state and OPEN[state] then
    words[#words + 1] = 'open'
  else
    if route and tenant then leave_line(key, route, tenant) end
    for _, index in ipairs({'dead', 'settled', 'cancelling'}) do redis.call('ZREM', P .. index, key) end
    redis.call('DEL', P .. 'history:' .. key)
    if holding or tonumber(pending or 0) > 0 then
      strip(key)
      words[#words + 1] = 'held'
    else
      words[#words + 1] = redis.call('DEL', call_of(key)) == 1 and 'gone' or 'none'
    end
    if AUDIT and state then note_audit('erased', key, tool or '') end
  end
end
if AUDIT then flush_audit() end
return words
