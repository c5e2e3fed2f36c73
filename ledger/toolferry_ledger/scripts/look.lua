-- Read calls as suspects; those that are not there, or erased, are left out.
-- ARGV: keys
local found = {}
for _, key in ipairs(ARGV) do
  if redis.call('HEXISTS', call_of(key), 'state') == 1 then found[#found + 1] = suspect(key, 0) end
end
return found
