import type { VelocityEntry, VelocityTotal } from '../store.ts';
import { bucketEnd, bucketStart, bucketWidth, firstBucket } from './velocity-window.ts';

/** The count of one part of a window. */
export interface Bucket {
  /** When it starts, in ms. */
  readonly start: number;
  /** Decimal digits, so that it can be stored as JSON. */
  readonly amount: string;
}

/** The part of an attempt that is counted in one bucket of a key. */
export interface Part extends Bucket {
  readonly key: string;
  readonly windowMs: number;
  readonly token: string;
}

/** Lists by key. */
export interface Lists<Item> {
  get(key: string): readonly Item[];
  /** Stores a list until a time. */
  put(key: string, items: readonly Item[], until: number): void;
  /** Replaces a list and keeps its expiry. Deletes an empty list. */
  update(key: string, items: readonly Item[]): void;
}

/** The records of attempts in a store. */
export interface VelocityRecords {
  /** The time that windows end at, in ms. */
  readonly now: number;
  /** The buckets of each key. */
  readonly buckets: Lists<Bucket>;
  /** The parts of each attempt. */
  readonly parts: Lists<Part>;
}

interface Judged extends VelocityTotal {
  readonly entry: VelocityEntry;
  /** The buckets of the key within the window. */
  readonly recent: readonly Bucket[];
  /** Whether the attempt adds anything not yet counted. */
  readonly isNew: boolean;
}

const sumOf = (buckets: readonly Bucket[]) => buckets.reduce((sum, { amount }) => sum + BigInt(amount), 0n);

/** Checks an attempt against all its entries, then counts it. The caller must make it atomic. */
export function checkAttempt(
  records: VelocityRecords,
  id: string,
  entries: readonly VelocityEntry[],
): VelocityTotal[] {
  const { now, buckets, parts } = records;
  endAttempt(records, id, entries);
  const known = parts.get(id);
  const judged = entries.map((entry) => judge(entry, now, buckets.get(entry.key), known));
  if (!judged.some(({ entry, exceeded }) => entry.blocks && exceeded)) {
    const added = judged.filter(({ isNew }) => isNew);
    for (const { entry, recent } of added) {
      buckets.put(entry.key, withEntry(recent, entry, now), expiryOf(entry.windowMs, now));
    }
    if (added.length > 0) {
      const counted = withParts(known, added, now);
      const longest = Math.max(...counted.map(({ windowMs }) => windowMs));
      parts.put(id, counted, expiryOf(longest, now));
    }
  }
  return judged.map(({ total, exceeded, freeAt, token }) => ({ total, exceeded, freeAt, token }));
}

/** Ends an attempt under the keys of entries without an amount, and subtracts what it has added there unless that is kept. */
function endAttempt(
  { buckets, parts }: VelocityRecords,
  id: string,
  entries: readonly VelocityEntry[],
): void {
  const ending = entries.filter(({ amount }) => amount === 0n);
  if (ending.length === 0) return;
  const open: Part[] = [];
  for (const part of parts.get(id)) {
    const end = ending.find(({ key, token }) => key === part.key && token === part.token);
    if (end === undefined) open.push(part);
    else if (end.keeps !== true) buckets.update(part.key, withoutPart(buckets.get(part.key), part));
  }
  parts.update(id, open);
}

function judge(
  entry: VelocityEntry,
  now: number,
  buckets: readonly Bucket[],
  known: readonly Part[],
): Judged {
  const { key, amount, limit, windowMs } = entry;
  const first = firstBucket(now, windowMs);
  const recent = buckets.filter(({ start }) => start >= first);
  const counted = known.find((part) => part.key === key && part.start >= first);
  const isCounted = counted !== undefined;
  const total = sumOf(recent) + (isCounted ? 0n : amount);
  const oldest = Math.min(bucketStart(now, windowMs), ...recent.map(({ start }) => start));
  const freeAt = bucketEnd(oldest, windowMs);
  const { token } = counted ?? entry;
  return { entry, recent, isNew: !isCounted && amount > 0n, total, exceeded: total > limit, freeAt, token };
}

function withEntry(recent: readonly Bucket[], { amount, windowMs }: VelocityEntry, now: number): Bucket[] {
  const start = bucketStart(now, windowMs);
  const before = recent.filter((bucket) => bucket.start === start);
  const others = recent.filter((bucket) => bucket.start !== start);
  return [...others, { start, amount: String(sumOf(before) + amount) }];
}

function withParts(known: readonly Part[], added: readonly Judged[], now: number): Part[] {
  const recent = known.filter(({ start, windowMs }) => start >= firstBucket(now, windowMs));
  const newParts = added.map(({ entry: { key, amount, windowMs, token } }) => ({
    key,
    token,
    start: bucketStart(now, windowMs),
    amount: String(amount),
    windowMs,
  }));
  return [...recent.filter(({ key }) => newParts.every((part) => part.key !== key)), ...newParts];
}

function expiryOf(windowMs: number, now: number): number {
  return now + windowMs + bucketWidth(windowMs);
}

function withoutPart(buckets: readonly Bucket[], part: Part): Bucket[] {
  return buckets.flatMap((bucket) => {
    if (bucket.start !== part.start) return [bucket];
    const rest = BigInt(bucket.amount) - BigInt(part.amount);
    return rest > 0n ? [{ start: bucket.start, amount: String(rest) }] : [];
  });
}
