/**
 * Each operation on a claim is one script, so it is atomic. Redis 5 or newer is needed, where a script may write after it asked for the
 * time.
 *
 * A record is a hash: `token` (of the claim; none once it was released), `attempt`, `since` (when the key was first claimed), `until` (when
 * the lease runs out), both in ms since 1970, `data`, and, once it is completed, `done`. A completed record lives for its retention, so
 * Redis forgets it by itself; so does one that was released with a retention, until it is claimed again. A claim lives longer than its lease,
 * so that its attempts are not forgotten. A claim with data does not expire, and its key is in the index, a sorted set.
 *
 * KEYS of the scripts of a claim: the record and the index.
 */

/** The first number of the answer to a claim. */
export const claimed = 1;
/** The first number of the answer to a claim. */
export const inProgress = 2;
/** The first number of the answer to a claim. */
export const completed = 3;

const readTime = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)`;

/**
 * A client may send the script again when it lost the answer with its connection: then the record has the token already, and the claim is
 * granted as the same attempt.
 *
 * ARGV: the token of a new claim; the lease in ms; how long the attempts are kept, in ms; the key; the data, or nothing.
 * Answers {@link claimed} and the attempt, {@link inProgress} and the rest of the lease in ms, or {@link completed} and 0; then the data.
 */
export const claimScript = `
local record = redis.call('HMGET', KEYS[1], 'attempt', 'until', 'done', 'data', 'token')
local data = record[4]
if record[3] then return { ${completed}, 0, data } end
${readTime}
local isResent = record[5] == ARGV[1]
local rest = tonumber(record[2] or 0) - now
if rest > 0 and not isResent then return { ${inProgress}, rest, data } end
local attempt = tonumber(record[1] or 0) + (isResent and 0 or 1)
if attempt == 1 then
  redis.call('HSET', KEYS[1], 'since', now)
  data = ARGV[5] or false
  if data then redis.call('HSET', KEYS[1], 'data', data) end
end
redis.call('HSET', KEYS[1], 'token', ARGV[1], 'attempt', attempt, 'until', now + ARGV[2])
if data then
  redis.call('PERSIST', KEYS[1])
  redis.call('ZADD', KEYS[2], 0, ARGV[4])
else
  redis.call('PEXPIRE', KEYS[1], ARGV[2] + ARGV[3])
end
return { ${claimed}, attempt, data }
`;

/**
 * ARGV: the token; the lease in ms; how long the attempts are kept, in ms; the key; the data, or nothing.
 * Answers 1 where the claim was still that token's, else 0.
 */
export const renewScript = `
local record = redis.call('HMGET', KEYS[1], 'token', 'done', 'data')
if record[1] ~= ARGV[1] or record[2] then return 0 end
${readTime}
redis.call('HSET', KEYS[1], 'until', now + ARGV[2])
if ARGV[5] then
  redis.call('HSET', KEYS[1], 'data', ARGV[5])
  redis.call('PERSIST', KEYS[1])
  redis.call('ZADD', KEYS[2], 0, ARGV[4])
elseif not record[3] then
  redis.call('PEXPIRE', KEYS[1], ARGV[2] + ARGV[3])
end
return 1
`;

/**
 * ARGV: the token; how long the record is kept, in ms; the key; the data, or nothing.
 * Answers 1 where the claim was still that token's, else 0.
 */
export const completeScript = `
local record = redis.call('HMGET', KEYS[1], 'token', 'done')
if record[1] ~= ARGV[1] then return 0 end
if ARGV[4] then redis.call('HSET', KEYS[1], 'data', ARGV[4]) end
if record[2] and redis.call('PTTL', KEYS[1]) > tonumber(ARGV[2]) then return 1 end
redis.call('HSET', KEYS[1], 'done', 1)
redis.call('PEXPIRE', KEYS[1], ARGV[2])
redis.call('ZREM', KEYS[2], ARGV[3])
return 1
`;

/**
 * ARGV: the token; how long the attempts are kept, in ms; the retention in ms, or an empty text; the key; the data, or nothing.
 * Answers 1 where the claim was still that token's, else 0.
 */
export const releaseScript = `
local record = redis.call('HMGET', KEYS[1], 'token', 'done', 'data')
if record[1] ~= ARGV[1] or record[2] then return 0 end
redis.call('HDEL', KEYS[1], 'token', 'until')
if ARGV[5] then redis.call('HSET', KEYS[1], 'data', ARGV[5]) end
if ARGV[3] ~= '' then
  redis.call('PEXPIRE', KEYS[1], ARGV[3])
  redis.call('ZREM', KEYS[2], ARGV[4])
elseif ARGV[5] then
  redis.call('PERSIST', KEYS[1])
  redis.call('ZADD', KEYS[2], 0, ARGV[4])
elseif not record[3] then
  redis.call('PEXPIRE', KEYS[1], ARGV[2])
end
return 1
`;

/**
 * KEYS: the index. ARGV: its name; the name that the key of a record begins with; the prefix of the keys; where the page begins, in
 * the form of ZRANGEBYLEX; how many there are in a page. Answers lists of key, data, attempt, rest of the lease and age.
 *
 * A client may put a prefix of its own before a key, so the keys of records are made of the one that came. A record that Redis evicted
 * is left out, and the page is filled with others.
 */
export const openScript = `
${readTime}
local records = string.sub(KEYS[1], 1, -1 - #ARGV[1]) .. ARGV[2]
local page = {}
local from = ARGV[4]
local limit = tonumber(ARGV[5])
repeat
  local keys = redis.call('ZRANGEBYLEX', KEYS[1], from, '(' .. ARGV[3] .. '\\255', 'LIMIT', 0, limit)
  for _, key in ipairs(keys) do
    local record = redis.call('HMGET', records .. key, 'data', 'attempt', 'until', 'since')
    if record[1] and #page < limit then
      local rest = math.max(0, tonumber(record[3] or 0) - now)
      page[#page + 1] = { key, record[1], tonumber(record[2]), rest, math.max(0, now - record[4]) }
    end
    from = '(' .. key
  end
until #keys < limit or #page == limit
return page
`;

/** KEYS: the times of the attempts under a key, a sorted set; their amounts, a hash with the sum. */
const drop = `
local function drop(id)
  redis.call('ZREM', KEYS[1], id)
  local amount = redis.call('HGET', KEYS[2], 'id:' .. id)
  if amount then
    redis.call('HDEL', KEYS[2], 'id:' .. id)
    redis.call('HINCRBY', KEYS[2], 'sum', '-' .. amount)
  end
end`;

/**
 * KEYS as of `drop`. ARGV: the id; its time; its amount; the time up to which attempts are too old; the window in ms.
 * Answers 1 where the attempt was added, else 0; how many there are; the time of the oldest; the sum of the amounts. The latter two are
 * texts, since Redis cuts the fraction of a number.
 */
export const countScript = `
${drop}
for _, id in ipairs(redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', ARGV[4])) do drop(id) end
local added = redis.call('ZADD', KEYS[1], 'NX', ARGV[2], ARGV[1])
if added == 1 and ARGV[3] ~= '0' then
  redis.call('HSET', KEYS[2], 'id:' .. ARGV[1], ARGV[3])
  redis.call('HINCRBY', KEYS[2], 'sum', ARGV[3])
end
redis.call('PEXPIRE', KEYS[1], ARGV[5])
redis.call('PEXPIRE', KEYS[2], ARGV[5])
local oldest = redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')[2]
return { added, redis.call('ZCARD', KEYS[1]), oldest, redis.call('HGET', KEYS[2], 'sum') or '0' }
`;

/** KEYS as of `drop`. ARGV: the ids. Answers how many there were. */
export const removeScript = `
${drop}
for _, id in ipairs(ARGV) do drop(id) end
if redis.call('ZCARD', KEYS[1]) == 0 then redis.call('DEL', KEYS[2]) end
return #ARGV
`;
