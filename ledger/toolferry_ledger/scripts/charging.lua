-- Counting the calls of a turn against budgets and repeats, for the script that writes the turn.
-- CHARGES, the last argument when there is one, is JSON:
--   accounts: [{name, kept, lasting, limits: {unit: number}, refusals: {unit: text}}]
--   repeats:  {name, kept, told: [text, text], tell_at, deny_at, refusal}, or missing
--   calls:    {position: {head, cost, seconds, fingerprint}}
-- A name that is empty stands for what ends with the turn: it needs no key, since a turn is written
-- once. `kept` is milliseconds. A refusal's text begins with the `head` of its call.
local MAX_REPEATS = 1000
local charges

local function open_charges(text)
  charges = cjson.decode(text)
  for _, account in ipairs(charges.accounts) do
    account.key = account.name ~= '' and P .. 'budget:' .. account.name
    account.spent, account.added = {}, {}
    for unit in pairs(account.limits) do
      local spent = account.key and redis.call('HGET', account.key, unit)
      account.spent[unit], account.added[unit] = tonumber(spent or 0), 0
    end
  end
  local repeats = charges.repeats
  if repeats then
    repeats.key = repeats.name ~= '' and P .. 'repeats:' .. repeats.name
    repeats.counts = {}
  end
end

-- The text of the refusal by the first account that a call does not fit into; nil when it fits.
local function over_budget(charge)
  for _, account in ipairs(charges.accounts) do
    for _, unit in ipairs({'calls', 'cost', 'seconds'}) do
      local limit, asked = account.limits[unit], unit == 'calls' and 1 or charge[unit]
      -- Sums of fractions are not exact: ten times 0.1 is to fit into 1.
      if limit and account.spent[unit] + account.added[unit] + asked > limit * (1 + 1e-9) then
        return account.refusals[unit]
      end
    end
  end
end

-- Which time it is that a call is made; nil when that is not counted.
local function time_of(charge)
  local repeats, same = charges.repeats, charge.fingerprint
  if not repeats or not same then return nil end
  if not repeats.counts[same] then
    local known = repeats.key and redis.call('HGET', repeats.key, same)
    repeats.counts[same] = tonumber(known or 0)
  end
  return repeats.counts[same] + 1
end

local function add(charge, time)
  for _, account in ipairs(charges.accounts) do
    for unit in pairs(account.limits) do
      account.added[unit] = account.added[unit] + (unit == 'calls' and 1 or charge[unit])
    end
  end
  if time then charges.repeats.counts[charge.fingerprint] = time end
end

-- Count a call, or refuse it: gives the text of its refusal, or what it is told beside its result.
local function charge_call(position)
  local charge = charges and charges.calls[tostring(position)]
  if not charge then return nil, nil end
  local refusal, time, repeats = over_budget(charge), time_of(charge), charges.repeats
  if not refusal and time and repeats.deny_at and time >= repeats.deny_at then
    refusal = repeats.refusal
  end
  if refusal then return charge.head .. refusal, nil end
  add(charge, time)
  if not (time and repeats.tell_at and time >= repeats.tell_at) then return nil, nil end
  -- Two lists of one text each become one text around the number.
  return nil, string.sub(repeats.told[1], 1, -3) .. time .. string.sub(repeats.told[2], 3)
end

local function write_account(account)
  local charged = false
  for unit, added in pairs(account.added) do
    if added > 0 then
      redis.call('HSET', account.key, unit, string.format('%.15g', account.spent[unit] + added))
      charged = true
    end
  end
  if not charged then return end
  if account.lasting then
    redis.call('PEXPIRE', account.key, account.kept)
  else
    redis.call('PEXPIRE', account.key, account.kept, 'NX')
  end
end

local function write_repeats(repeats)
  for same, count in pairs(repeats.counts) do
    if count > 0 then redis.call('HSET', repeats.key, same, count) end
  end
  -- A conversation of so many different calls is no loop: it begins anew rather than grow.
  if redis.call('HLEN', repeats.key) > MAX_REPEATS then redis.call('DEL', repeats.key) end
  redis.call('PEXPIRE', repeats.key, repeats.kept)
end

local function close_charges()
  for _, account in ipairs(charges.accounts) do
    if account.key then write_account(account) end
  end
  if charges.repeats and charges.repeats.key then write_repeats(charges.repeats) end
end
