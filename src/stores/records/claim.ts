import { day } from '../../base/time.ts';
import type { ClaimResult, KeptKey, OpenClaim, ReleaseOptions } from '../store.ts';

/**
 * How long a store remembers the attempts of a claim after its lease expired, in ms. A week, longer than services
 * redeliver an event. Until then the claim can still be completed, unless another claim took over.
 */
export const attemptsRetention = 7 * day;

/** The record of a key. A change replaces it. Times are in ms on the store's clock. */
export interface ClaimRecord {
  readonly key: string;
  /** The token of the claim; none after a release. */
  readonly token: string | undefined;
  /** The number of claims. */
  readonly attempt: number;
  /** When the key was first claimed. A whole number. */
  readonly since: number;
  /** The end of the lease, or of the retention. */
  readonly until: number;
  /** Whether it is forgotten at `until`: it was completed, or, if it has no token, released with a retention. */
  readonly completed: boolean;
  readonly data: string | undefined;
}

/** A record with data, kept until it is completed or released with a retention. */
export type OpenRecord = ClaimRecord & { readonly completed: false; readonly data: string };

export function isOpen(record: ClaimRecord): record is OpenRecord {
  return !record.completed && record.data !== undefined;
}

/** Returns the answer to a claim, and the new record if it is granted. */
export function claimed(
  known: ClaimRecord | undefined,
  now: number,
  call: {
    readonly key: string;
    readonly token: string;
    readonly lease: number;
    readonly data: string | undefined;
    readonly takeOver: boolean;
  },
): { readonly answer: ClaimResult; readonly record?: ClaimRecord } {
  const { key, token, lease, data, takeOver } = call;
  const isResent = known?.token === token && !known.completed;
  const mayTake = isResent || (takeOver && known?.completed === false);
  if (known?.token !== undefined && known.until > now && !mayTake) {
    const { completed, data: kept, until } = known;
    if (completed) return { answer: { status: 'completed', data: kept } };
    return { answer: { status: 'in_progress', retryAfter: Math.ceil(until - now), data: kept } };
  }
  const isKnown = known !== undefined && !isForgotten(known, now);
  const before = isKnown ? known : { key, attempt: 0, since: Math.floor(now), data };
  const attempt = before.attempt + (isResent ? 0 : 1);
  const record = { ...before, token, attempt, completed: false, until: now + lease };
  return { answer: { status: 'claimed', token, attempt, data: before.data }, record };
}

/** Returns the record after a renewal; `undefined` if another holds the claim. */
export function renewed(
  known: ClaimRecord | undefined,
  now: number,
  token: string,
  lease: number,
  data: string | undefined,
): ClaimRecord | undefined {
  if (!isHeld(known, token)) return undefined;
  return { ...known, until: now + lease, data: data ?? known.data };
}

/** Returns the record after a completion; `undefined` if another holds the claim, or the key is forgotten. */
export function completed(
  known: ClaimRecord | undefined,
  now: number,
  token: string,
  retention: number,
  data: string | undefined,
): ClaimRecord | undefined {
  if (known?.token !== token || isForgotten(known, now)) return undefined;
  // A second call may extend the retention of the first, but never shorten it.
  const until = Math.max(now + retention, known.completed ? known.until : 0);
  return { ...known, completed: true, until, data: data ?? known.data };
}

/** Returns the record after a release; `undefined` if another holds the claim. */
export function released(
  known: ClaimRecord | undefined,
  now: number,
  token: string,
  { data, retention }: ReleaseOptions,
): ClaimRecord | undefined {
  if (!isHeld(known, token)) return undefined;
  const until = now + (retention ?? 0);
  return { ...known, token: undefined, completed: retention !== undefined, until, data: data ?? known.data };
}

/** Returns the record with other data; `undefined` if it has not this data, or is forgotten. */
export function replaced(
  known: ClaimRecord | undefined,
  now: number,
  data: string,
  replacement: string,
): ClaimRecord | undefined {
  if (known?.data !== data || isForgotten(known, now)) return undefined;
  return { ...known, data: replacement };
}

/** Returns what is kept of a key; `undefined` if it is forgotten. */
export function kept(known: ClaimRecord | undefined, now: number): KeptKey | undefined {
  if (known === undefined || isForgotten(known, now)) return undefined;
  return { completed: known.completed && known.token !== undefined, data: known.data };
}

/** Returns an open record as `open` lists it. */
export function listed({ key, data, attempt, until, since }: OpenRecord, now: number): OpenClaim {
  const [leased, age] = [Math.ceil(until - now), Math.floor(now - since)];
  return { key, data, attempt, leased: Math.max(0, leased), since, age: Math.max(0, age) };
}

function isHeld(known: ClaimRecord | undefined, token: string): known is ClaimRecord {
  return known?.token === token && !known.completed;
}

/** Returns whether the retention of a completed or released key is over. */
function isForgotten({ completed, until }: ClaimRecord, now: number): boolean {
  return completed && until <= now;
}
