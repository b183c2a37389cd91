const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

/** How long to wait after each failed attempt, in milliseconds of the sandbox's time. The interface shows none. */
const waits: readonly number[] = [
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  10 * hour,
];

/** What `Retry-After` asks for, in milliseconds; 0 where it asks for nothing that can be read. */
function askedFor(retryAfter: string | null, now: number): number {
  if (retryAfter === null) return 0;
  if (/^\d+$/.test(retryAfter)) return Number(retryAfter) * second;
  const date = Date.parse(retryAfter);
  return Number.isNaN(date) ? 0 : Math.max(0, date - now);
}

/** How long to wait after so many failed attempts, in milliseconds; `undefined` where it is given up. */
export function waitAfter(attempts: number, retryAfter: string | null, now: number): number | undefined {
  const wait = waits[attempts - 1];
  return wait === undefined ? undefined : Math.max(wait, askedFor(retryAfter, now));
}
