-- Read the signed records of calls: of each its spec and its signature, nothing where there is none.
-- ARGV: keys
local found = {}
for at, key in ipairs(ARGV) do
  local record = redis.pcall('HMGET', call_of(key), 'spec', 'sig')
  found[at] = record.err and {} or record
end
return found
