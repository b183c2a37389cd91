/**
 * Each script is one operation on one key, so it is atomic, and each node of a cluster can run it. Redis 5 or newer is
 * needed, where a script may write after it asked for the time.
 *
 * A record is a hash: `token` (of the claim; none once it was released), `attempt`, `until` (when the lease runs out, in
 * ms since 1970) and, once it is completed, `done`. A completed record lives as long as it is to be remembered, so Redis
 * forgets it by itself; a claim lives longer than its lease, so that its attempts are not forgotten.
 *
 * Scripts answer with integers only, since clients can be told to give texts as bytes.
 */

/** The first number of the answer to a claim. */
export const claimed = 1;
/** The first number of the answer to a claim. */
export const inProgress = 2;
/** The first number of the answer to a claim. */
export const completed = 3;

/**
 * KEYS: the record. ARGV: the token of a new claim; the lease in ms; how long the attempts are kept, in ms.
 * Answers {@link claimed} and the attempt, {@link inProgress} and the rest of the lease in ms, or {@link completed}.
 */
export const claimScript = `
local record = redis.call('HMGET', KEYS[1], 'attempt', 'until', 'done')
if record[3] then return { ${completed}, 0 } end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local rest = tonumber(record[2] or 0) - now
if rest > 0 then return { ${inProgress}, rest } end
local attempt = tonumber(record[1] or 0) + 1
redis.call('HSET', KEYS[1], 'token', ARGV[1], 'attempt', attempt, 'until', now + ARGV[2])
redis.call('PEXPIRE', KEYS[1], ARGV[2] + ARGV[3])
return { ${claimed}, attempt }
`;

/**
 * KEYS: the record. ARGV: the token; how long it is remembered, in ms.
 * Answers 1 where the claim was still that token's, else 0.
 */
export const completeScript = `
local record = redis.call('HMGET', KEYS[1], 'token', 'done')
if record[1] ~= ARGV[1] then return 0 end
if record[2] and redis.call('PTTL', KEYS[1]) > tonumber(ARGV[2]) then return 1 end
redis.call('HSET', KEYS[1], 'done', 1)
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return 1
`;

/**
 * KEYS: the record. ARGV: the token; how long the attempts are kept, in ms.
 * Answers 1 where the claim was still that token's, else 0.
 */
export const releaseScript = `
local record = redis.call('HMGET', KEYS[1], 'token', 'done')
if record[1] ~= ARGV[1] or record[2] then return 0 end
redis.call('HDEL', KEYS[1], 'token', 'until')
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return 1
`;
