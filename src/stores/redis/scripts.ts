/**
 * Each operation on a claim is one script, so it is atomic. Requires Redis 5 or newer, where a script may write after
 * it reads the time.
 *
 * A record is a hash: `token` (of the claim; absent after a release), `attempt`, `since` (when the key was first
 * claimed), `until` (the end of the lease), both in ms since 1970, `data`, and `done` once it is completed. A
 * completed record expires after its retention; so does a record released with a retention, until it is claimed again.
 * A claim outlives its lease, so that its attempts are remembered. A claim with data is open: it does not expire, and the
 * index of its space has it.
 *
 * An index is a sorted set of members with equal scores, each `since` and the key. Redis sorts them by byte, and every
 * `since` has {@link sinceDigits} digits, so the oldest is first.
 *
 * KEYS of the scripts of a claim: the record and the index.
 */

/** The digits of a time in ms, until the year 2286. */
export const sinceDigits = 13;

/** The first number of the answer when the claim was granted. */
export const claimedAnswer = 1;
/** The first number of the answer when another claim's lease runs. */
export const inProgressAnswer = 2;
/** The first number of the answer when the key was completed. */
export const completedAnswer = 3;

const readTime = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)`;

/** The `run_id` of the process that keeps the data: another one after each failover, restore and restart. Nothing if it may not be asked. */
const readServer = `
local told = redis.pcall('INFO', 'server')
local server = type(told) == 'string' and string.match(told, 'run_id:(%w+)')`;

/**
 * A client may resend the script if it lost the answer with its connection. The record then already has the token, and
 * the claim is granted as the same attempt.
 *
 * ARGV: the token of a new claim; the lease in ms; how long to keep the attempts, in ms; 1 to take a running claim over, else 0; the key; the
 * data, or nothing. Returns {@link claimed} and the attempt, {@link inProgress} and the remaining lease in ms, or {@link completed} and
 * 0; then the data, and of a granted claim with data the server.
 */
export const claimScript = /* @__PURE__ */ (() => `
local record = redis.call('HMGET', KEYS[1], 'attempt', 'until', 'done', 'data', 'token', 'since')
local data = record[4]
if record[3] then return { ${completedAnswer}, 0, data } end
${readTime}
local isResent = record[5] == ARGV[1]
local rest = tonumber(record[2] or 0) - now
if rest > 0 and not isResent and ARGV[4] ~= '1' then return { ${inProgressAnswer}, rest, data } end
local attempt = tonumber(record[1] or 0) + (isResent and 0 or 1)
local since = record[6] or string.format('%.0f', now)
if not record[1] then
  redis.call('HSET', KEYS[1], 'since', since)
  data = ARGV[6] or false
  if data then redis.call('HSET', KEYS[1], 'data', data) end
end
redis.call('HSET', KEYS[1], 'token', ARGV[1], 'attempt', attempt, 'until', now + ARGV[2])
if data then
  redis.call('PERSIST', KEYS[1])
  redis.call('ZADD', KEYS[2], 0, since .. ARGV[5])
else
  redis.call('PEXPIRE', KEYS[1], ARGV[2] + ARGV[3])
end
if not ARGV[6] then return { ${claimedAnswer}, attempt, data } end
${readServer}
return { ${claimedAnswer}, attempt, data, server }
`)();

/**
 * ARGV: the token; the lease in ms; how long to keep the attempts, in ms; the key; the data, or nothing. Returns 1 if
 * the token still held the claim, else 0.
 */
export const renewScript = /* @__PURE__ */ (() => `
local record = redis.call('HMGET', KEYS[1], 'token', 'done', 'data', 'since')
if record[1] ~= ARGV[1] or record[2] then return 0 end
${readTime}
redis.call('HSET', KEYS[1], 'until', now + ARGV[2])
if ARGV[5] then
  redis.call('HSET', KEYS[1], 'data', ARGV[5])
  redis.call('PERSIST', KEYS[1])
  redis.call('ZADD', KEYS[2], 0, record[4] .. ARGV[4])
elseif not record[3] then
  redis.call('PEXPIRE', KEYS[1], ARGV[2] + ARGV[3])
end
return 1
`)();

/**
 * ARGV: the token; how long to keep the record, in ms; the key; the data, or nothing. Returns 1 if the token still held
 * the claim, else 0.
 */
export const completeScript = `
local record = redis.call('HMGET', KEYS[1], 'token', 'done', 'since')
if record[1] ~= ARGV[1] then return 0 end
if ARGV[4] then redis.call('HSET', KEYS[1], 'data', ARGV[4]) end
if record[2] and redis.call('PTTL', KEYS[1]) > tonumber(ARGV[2]) then return 1 end
redis.call('HSET', KEYS[1], 'done', 1)
redis.call('PEXPIRE', KEYS[1], ARGV[2])
redis.call('ZREM', KEYS[2], record[3] .. ARGV[3])
return 1
`;

/**
 * ARGV: the token; how long to keep the attempts, in ms; the retention in ms, or an empty text; the key; the data, or
 * nothing. Returns 1 if the token still held the claim, else 0.
 */
export const releaseScript = `
local record = redis.call('HMGET', KEYS[1], 'token', 'done', 'data', 'since')
if record[1] ~= ARGV[1] or record[2] then return 0 end
redis.call('HDEL', KEYS[1], 'token', 'until')
if ARGV[5] then redis.call('HSET', KEYS[1], 'data', ARGV[5]) end
if ARGV[3] ~= '' then
  redis.call('PEXPIRE', KEYS[1], ARGV[3])
  redis.call('ZREM', KEYS[2], record[4] .. ARGV[4])
elseif ARGV[5] then
  redis.call('PERSIST', KEYS[1])
  redis.call('ZADD', KEYS[2], 0, record[4] .. ARGV[4])
elseif not record[3] then
  redis.call('PEXPIRE', KEYS[1], ARGV[2])
end
return 1
`;

/** Returns 1 if the key is known, 1 if it was completed, and the data; each else nothing. Redis forgets by itself. */
export const findScript = `
local record = redis.call('HMGET', KEYS[1], 'attempt', 'done', 'data')
return { record[1] and 1 or 0, record[2] and 1 or 0, record[3] }
`;

const readOpen = `
local function readOpen(name)
  return redis.call('HMGET', name, 'data', 'attempt', 'until', 'since')
end
local function listed(key, record)
  local rest = math.max(0, tonumber(record[3] or 0) - now)
  return { key, record[1], tonumber(record[2]), rest, tonumber(record[4]), math.max(0, now - record[4]) }
end`;

/**
 * KEYS: the index. ARGV: its name; the prefix of record names; the start of the page in the form of ZRANGEBYLEX; the page
 * size. Returns the number of open claims of the space, then for each of the page a list of key, data, attempt, remaining
 * lease, `since` and age.
 *
 * A client may add its own prefix to a key, so the script derives record keys from the index key it got. If Redis evicted a
 * record, the script removes it from the index, and fills the page with others.
 */
export const openScript = /* @__PURE__ */ (() => `
${readTime}
${readOpen}
local records = string.sub(KEYS[1], 1, -1 - #ARGV[1]) .. ARGV[2]
local page = {}
local from = ARGV[3]
local limit = tonumber(ARGV[4])
repeat
  local members = redis.call('ZRANGEBYLEX', KEYS[1], from, '+', 'LIMIT', 0, limit - #page)
  for _, member in ipairs(members) do
    local since, key = string.sub(member, 1, ${sinceDigits}), string.sub(member, ${sinceDigits} + 1)
    local record = readOpen(records .. key)
    if record[4] == since then
      page[#page + 1] = listed(key, record)
    else
      redis.call('ZREM', KEYS[1], member)
    end
    from = '(' .. member
  end
until #members == 0 or #page == limit
return { redis.call('ZCARD', KEYS[1]), unpack(page) }
`)();

/**
 * KEYS: the index. ARGV: its name; the prefix of record names; the space; the cursor of SCAN; how many names to look at. Returns the next
 * cursor, then for each record with data that it found a list of key and data. Reads all names of the database, since closed records are in
 * no index. A record of another space may be among them.
 */
export const scanScript = /* @__PURE__ */ (() => `
local records = string.sub(KEYS[1], 1, -1 - #ARGV[1]) .. ARGV[2]
local pattern = string.gsub(records .. ARGV[3], '%W', '\\\\%0') .. '*'
local reply = redis.call('SCAN', ARGV[4], 'MATCH', pattern, 'COUNT', ARGV[5])
local page = {}
for _, name in ipairs(reply[2]) do
  local data = redis.call('HGET', name, 'data')
  if data then page[#page + 1] = { string.sub(name, #records + 1), data } end
end
return { reply[1], page }
`)();

/** KEYS: the record. ARGV: the data; other data. Returns 1 if the record had this data, else 0. */
export const replaceScript = `
if redis.call('HGET', KEYS[1], 'data') ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[1], 'data', ARGV[2])
return 1
`;

/** ARGV: the key. Returns 1 and the open claim as above, or 0. */
export const findOpenScript = /* @__PURE__ */ (() => `
${readTime}
${readOpen}
local record = readOpen(KEYS[1])
if not record[1] or not redis.call('ZSCORE', KEYS[2], record[4] .. ARGV[1]) then return { 0 } end
return { 1, listed(ARGV[1], record) }
`)();

/**
 * The counts of a key are a hash: an amount per bucket start, and their `sum`. An attempt is a hash too: for each key
 * name, the bucket start, the amount and the token of the check. Amounts are texts, since a Lua number holds 53 bits.
 *
 * KEYS: the attempt, then the key of each entry.
 */

/** How many values the script takes per entry. */
const valuesOfEntry = 9;

/**
 * ARGV, for each entry: the name of its key; the amount; the limit; the highest sum to which the amount may be added,
 * or an empty text for a negative one; the window and the bucket width in ms; 1 if the limit blocks, else 0; the token; 1
 * if an attempt that ends leaves what it has added, else 0.
 *
 * Returns a list per entry: 1 if the limit is exceeded; 1 if the attempt was already counted; the sum before this
 * attempt; the start of the oldest bucket; the token of the check that counted it. An entry without an amount first ends
 * the attempt that its token names.
 */
export const checkScript = /* @__PURE__ */ (() => `
${readTime}
local function isMore(one, other)
  if #one ~= #other then return #one > #other end
  return one > other
end
local function finish(key, name, start, amount, keeps)
  redis.call('HDEL', KEYS[1], name)
  if keeps == '1' then return end
  if redis.call('HEXISTS', key, start) == 0 then return end
  redis.call('HINCRBY', key, 'sum', '-' .. amount)
  if redis.call('HINCRBY', key, start, '-' .. amount) == 0 then redis.call('HDEL', key, start) end
  if redis.call('HLEN', key) == 1 then redis.call('DEL', key) end
end
local totals = {}
local added = {}
local blocked = false
local lifetime = 0
for index = 2, #KEYS do
  local key = KEYS[index]
  local from = (index - 2) * ${valuesOfEntry}
  local name, amount, limit, room, window, width, blocks, token, keeps = unpack(ARGV, from + 1, from + ${valuesOfEntry})
  local start = now - now % width
  local first = now - window + 1
  first = first - first % width
  local part = redis.call('HGET', KEYS[1], name)
  local since, weight, owner
  if part then since, weight, owner = string.match(part, '^(%d+) (%d+) (%S+)$') end
  if part and amount == '0' and owner == token then
    finish(key, name, since, weight, keeps)
    part = false
  end
  local oldest = start
  local fields = redis.call('HGETALL', key)
  for place = 1, #fields, 2 do
    local bucket = tonumber(fields[place])
    if bucket and bucket < first then
      redis.call('HDEL', key, fields[place])
      redis.call('HINCRBY', key, 'sum', '-' .. fields[place + 1])
    elseif bucket then
      oldest = math.min(oldest, bucket)
    end
  end
  local sum = redis.call('HGET', key, 'sum') or '0'
  local counted = part and tonumber(since) >= first
  local exceeded = isMore(sum, counted and limit or room)
  blocked = blocked or exceeded and blocks == '1'
  if not counted and amount ~= '0' then
    added[#added + 1] = { key, name, string.format('%.0f', start), amount, window + width, token }
    lifetime = math.max(lifetime, window + width)
  end
  local marks = { exceeded and 1 or 0, counted and 1 or 0 }
  totals[#totals + 1] = { marks[1], marks[2], sum, string.format('%.0f', oldest), counted and owner or token }
end
if not blocked and #added > 0 then
  for _, entry in ipairs(added) do
    local key, name, start, amount, kept, token = unpack(entry)
    redis.call('HINCRBY', key, start, amount)
    redis.call('HINCRBY', key, 'sum', amount)
    redis.call('PEXPIRE', key, string.format('%.0f', kept))
    redis.call('HSET', KEYS[1], name, start .. ' ' .. amount .. ' ' .. token)
  end
  redis.call('PEXPIRE', KEYS[1], string.format('%.0f', math.max(lifetime, redis.call('PTTL', KEYS[1]))))
end
return totals
`)();

/**
 * KEYS: the snapshot, a hash of `version` and `data`. ARGV: the version, the data. Returns whether they are stored, and both as they were
 * before. A Lua number holds every version exactly, and the digits stay unchanged.
 */
export const advanceScript = `
local known = redis.call('HMGET', KEYS[1], 'version', 'data')
if known[1] and tonumber(known[1]) >= tonumber(ARGV[1]) then return { 0, known[1], known[2] } end
redis.call('HSET', KEYS[1], 'version', ARGV[1], 'data', ARGV[2])
return { 1, known[1], known[2] }
`;
