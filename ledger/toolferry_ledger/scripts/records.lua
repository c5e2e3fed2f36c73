-- Read the signed records of calls: of each its spec and its signature, and the same as it was asked
-- for before a person edited it; nothing where there is none.
-- ARGV: keys
local found = {}
for at, key in ipairs(ARGV) do
  local record = redis.pcall('HMGET', call_of(key), 'spec', 'sig', 'asked', 'asked_sig')
  found[at] = record.err and {} or record
end
return found
