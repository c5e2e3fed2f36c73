-- Read one open call as a suspect.
-- ARGV: key
if redis.call('EXISTS', call_of(ARGV[1])) == 0 then return false end
return suspect(ARGV[1], 0)
