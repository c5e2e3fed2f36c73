-- Telling what happens to calls to the audit; for scripts that change calls, where audit is on.
-- All that one run of a script did is one entry of the stream: numbered, and chained by a hash to the
-- entry before. Each command is `pcall`: an audit that cannot be written must not stop a script half
-- way, which would lose the result that it writes. What is lost is counted.
local AUDIT, told_audit = true, {}
-- Entries that may wait to be sealed, about; beyond, the oldest are dropped, and a gap is told.
local BACKLOG = 100000

-- Note one thing that happened to a call: its kind, and what is to be known of it, all texts.
local function note_audit(...) told_audit[#told_audit + 1] = cjson.encode({...}) end

-- Tell what a result says without its content: effect, code of its error, its size. The effect
-- stands before the content; where there is content there is no error.
local function sum_up(state, result)
  local effect = string.match(string.sub(result, 1, 4000), '"effect":"(%a+)"') or ''
  local code = state ~= 'succeeded' and string.match(result, '"error":{"code":"([%w_.-]+)"') or ''
  return effect, code, whole(#result)
end

-- Write the entry, last of all. The head knows its number and hash.
local function flush_audit()
  if #told_audit == 0 then return end
  local head = redis.pcall('HMGET', P .. 'audit:head', 'number', 'hash')
  local number = (tonumber(head[1] or nil) or 0) + 1
  local what = '[' .. table.concat(told_audit, ',') .. ']'
  local hash = redis.sha1hex((head[2] or '') .. whole(number) .. whole(NOW) .. what)
  local written = redis.pcall('XADD', P .. 'audit', 'MAXLEN', '~', BACKLOG, '*', 'number',
    whole(number), 'at', whole(NOW), 'what', what, 'hash', hash)
  if head.err or (type(written) == 'table' and written.err) then
    redis.pcall('INCRBY', P .. 'audit:lost', 1)
  else
    redis.pcall('HSET', P .. 'audit:head', 'number', whole(number), 'hash', hash)
  end
end
