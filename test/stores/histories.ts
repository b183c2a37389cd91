/** What a store answers to the calls about one key, in one line of text each, and a model that answers the same. */

import fc from 'fast-check';
import type { Store } from 'payments-client/stores';

export type OpenPage = Awaited<ReturnType<Store['open']>>;

type OpenClaim = OpenPage['claims'][number];

/** A call. Times are in units, so that a store whose server expires keys by itself can have long ones. */
export interface Step {
  /** The token of the caller. */
  readonly who: string;
  readonly does: 'claims' | 'takes' | 'renews' | 'completes' | 'releases';
  /** The lease or the retention; a release may have none. */
  readonly time: number | undefined;
  readonly data: string | undefined;
}

/** A line of a history: a call, a look at the open claim or at what is kept, or time that passes; and the expected answer. */
export type Line =
  | { readonly step: Step; readonly answer: string }
  | { readonly lists: string }
  | { readonly finds: string }
  | { readonly passes: number }
  | 'purge';

const stepPattern = /^(\w+) (claims|takes|renews|completes|releases)(?: (\d+))?(?: "(.*)")?: (.+)$/;

function lineOf(text: string): Line {
  const [word = '', rest = ''] = text.split(/ (.*)/s);
  if (word === 'purge') return word;
  if (word === 'pass') return { passes: Number(rest) };
  if (word === 'open:') return { lists: rest };
  if (word === 'kept:') return { finds: rest };
  const [, who = '', does, time, data, answer = ''] = stepPattern.exec(text) ?? [];
  const known = (['claims', 'takes', 'renews', 'completes', 'releases'] as const).find((one) => one === does);
  if (known === undefined) throw new Error(`no step of a history: ${text}`);
  return { step: { who, does: known, time: time === undefined ? undefined : Number(time), data }, answer };
}

/** Reads a history: lines with `;` between them. */
export const linesOf = (history: string) =>
  history
    .trim()
    .split(/\s*;\s*/)
    .map(lineOf);

const quoted = (data: string | undefined) => (data === undefined ? '' : ` "${data}"`);

/** Makes a call, and returns its answer as text. */
export async function take(store: Store, key: string, step: Step, unit: number): Promise<string> {
  const { who, does, data } = step;
  const time = (step.time ?? 1) * unit;
  if (does === 'renews') return (await store.renew(key, who, time, { data })) ? 'yes' : 'no';
  if (does === 'completes') return (await store.complete(key, who, time, { data })) ? 'yes' : 'no';
  if (does === 'releases') {
    const retention = step.time === undefined ? {} : { retention: time };
    return (await store.release(key, who, { data, ...retention })) ? 'yes' : 'no';
  }
  const claim = await store.claim(key, time, { data, token: who, takeOver: does === 'takes' });
  const rest = quoted(claim.data);
  if (claim.status === 'completed') return `done${rest}`;
  if (claim.status === 'in_progress') return `busy ${claim.retryAfter / unit}${rest}`;
  return claim.token === who ? `claimed ${claim.attempt}${rest}` : `claimed with the token ${claim.token}`;
}

/** Looks at what is kept of a key, and returns it as text. */
export async function look(store: Store, key: string): Promise<string> {
  const kept = await store.find(key);
  return kept === undefined ? 'none' : `${kept.completed ? 'done' : 'open'}${quoted(kept.data)}`;
}

/** Returns an open claim as text, without its key and the time of its first claim. */
export function textOf({ data, attempt, leased, age }: OpenClaim, unit: number): string {
  return `claimed ${attempt}${quoted(data)}, leased ${leased / unit}, age ${age / unit}`;
}

/** What the model knows of a key. */
interface Known {
  readonly attempt: number;
  readonly since: number;
  readonly data: string | undefined;
  /** The token of the claim; none once it is released. */
  readonly holder: string | undefined;
  readonly leaseEnds: number;
  readonly isDone: boolean;
  /** When the key is forgotten; none for a claim. */
  readonly forgetAt: number | undefined;
}

/** Answers as a store does, by the words of its interface. */
export class Model {
  now = 0;
  readonly #known = new Map<string, Known>();

  take(key: string, { who, does, time = 0, data }: Step): string {
    const known = this.#find(key);
    if (does === 'claims' || does === 'takes') {
      const isFree = does === 'takes' || known === undefined || known.leaseEnds <= this.now;
      return this.#claim(key, known, { who, time, data, isFree });
    }
    const isOwn = known?.holder === who;
    if (!isOwn || (known.isDone && does !== 'completes')) return 'no';
    const end = this.now + time;
    const next = { ...known, data: data ?? known.data };
    if (does === 'renews') this.#known.set(key, { ...next, leaseEnds: end });
    if (does === 'completes')
      this.#known.set(key, { ...next, isDone: true, forgetAt: Math.max(end, known.forgetAt ?? 0) });
    if (does === 'releases') {
      const forgetAt = time === 0 ? undefined : end;
      this.#known.set(key, { ...next, holder: undefined, leaseEnds: this.now, forgetAt });
    }
    return 'yes';
  }

  /** Returns what is kept of a key, as text. */
  kept(key: string): string {
    const known = this.#find(key);
    return known === undefined ? 'none' : `${known.isDone ? 'done' : 'open'}${quoted(known.data)}`;
  }

  /** Returns the open claims in order, as keys and texts. */
  open(): readonly { readonly key: string; readonly text: string }[] {
    return [...this.#known.keys()]
      .flatMap((key) => {
        const known = this.#find(key);
        return known?.data === undefined || known.forgetAt !== undefined ? [] : [{ key, ...known }];
      })
      .sort((one, other) => one.since - other.since || (one.key < other.key ? -1 : 1))
      .map(({ key, data = '', since, leaseEnds, ...claim }) => {
        const leased = Math.max(0, leaseEnds - this.now);
        return { key, text: textOf({ ...claim, key, data, since, leased, age: this.now - since }, 1) };
      });
  }

  #find(key: string): Known | undefined {
    const known = this.#known.get(key);
    return known?.forgetAt !== undefined && known.forgetAt <= this.now ? undefined : known;
  }

  #claim(
    key: string,
    known: Known | undefined,
    {
      who,
      time,
      data,
      isFree,
    }: Pick<Step, 'who' | 'data'> & { readonly time: number; readonly isFree: boolean },
  ): string {
    if (known?.isDone) return `done${quoted(known.data)}`;
    const isResent = known?.holder === who;
    if (known?.holder !== undefined && !isResent && !isFree)
      return `busy ${known.leaseEnds - this.now}${quoted(known.data)}`;
    const { attempt, since, data: kept } = known ?? { attempt: 0, since: this.now, data };
    const next = attempt + (isResent ? 0 : 1);
    const [leaseEnds, state] = [this.now + time, { isDone: false, forgetAt: undefined }];
    this.#known.set(key, { attempt: next, since, data: kept, holder: who, leaseEnds, ...state });
    return `claimed ${next}${quoted(kept)}`;
  }
}

const times = fc.integer({ min: 1, max: 4 });
const step = fc.record({
  who: fc.constantFrom('a', 'b', 'c'),
  does: fc.constantFrom('claims', 'claims', 'takes', 'renews', 'completes', 'releases'),
  time: times,
  data: fc.constantFrom(undefined, undefined, '', 'x', 'y'),
  isForgotten: fc.boolean(),
});

/** Any row of calls of three callers about three keys, by any of the stores that share their records. */
export const rows = fc.array(
  fc.oneof(
    {
      weight: 3,
      arbitrary: fc
        .tuple(fc.constantFrom('a', 'b', '🍵'), fc.nat({ max: 5 }), step)
        .map(([key, store, { isForgotten, time, ...rest }]) => {
          const isKept = rest.does === 'releases' && !isForgotten;
          return { key, store, step: { ...rest, time: isKept ? undefined : time } };
        }),
    },
    { weight: 1, arbitrary: fc.record({ passes: times }) },
    {
      weight: 1,
      arbitrary: fc.record({ finds: fc.constantFrom('a', 'b', '🍵'), store: fc.nat({ max: 5 }) }),
    },
  ),
  { minLength: 5, maxLength: 25 },
);

/** Histories of one key, by the promise that each shows. */
export const histories: Readonly<Record<string, string>> = {
  'grants a key to one caller until it is completed':
    'a claims 4: claimed 1; b claims 9: busy 4; pass 1; b claims 9: busy 3; a completes 5: yes; b claims 9: done',
  'counts the attempts, whether a claim is released or expires':
    'a claims 2: claimed 1; pass 2; b claims 2: claimed 2; b releases: yes; c claims 2: claimed 3; pass 2; a claims 2: claimed 4',
  'frees a key exactly when its lease ends':
    'a claims 3: claimed 1; pass 2; b claims 1: busy 1; pass 1; b claims 1: claimed 2',
  'remembers a completed key exactly for its retention, then counts from 1':
    'a claims 9: claimed 1; a completes 3: yes; pass 2; b claims 1: done; pass 1; a completes 9: no; b claims 1: claimed 1; a completes 9: no; b completes 9: yes',
  'completes again with the same token, which may extend the retention but not shorten it':
    'a claims 9: claimed 1; a completes 2: yes; a completes 1: yes; pass 1; b claims 1: done; a completes 3: yes; pass 2; a claims 1: done; pass 1; b claims 1: claimed 1',
  'completes after the lease expired, unless another claim took over':
    'a claims 1: claimed 1; pass 2; a completes 9: yes; b claims 1: done',
  'refuses each call of a caller whose claim another took over':
    'a claims 1 "x": claimed 1 "x"; pass 1; b claims 9: claimed 2 "x"; a completes 9 "y": no; a releases "y": no; a releases 9 "y": no; a renews 9 "y": no; c claims 1: busy 9 "x"; b completes 9: yes; a completes 9 "y": no; c claims 1: done "x"',
  'releases to the next caller, and refuses the released token':
    'a claims 9: claimed 1; a releases: yes; a completes 9: no; a releases: no; a renews 9: no; b claims 9: claimed 2',
  'refuses to release or to renew a completed key':
    'a claims 9 "x": claimed 1 "x"; a completes 9: yes; a releases "y": no; a renews 9 "y": no; a releases 1: no; b claims 9: done "x"',
  'refuses each call for a key that was never claimed':
    'a completes 9 "x": no; a releases "x": no; a renews 9 "x": no; open: none; a claims 9: claimed 1',
  'renews a lease from now, even one that expired if nobody took over':
    'a claims 2: claimed 1; pass 1; a renews 2: yes; b claims 9: busy 2; pass 3; a renews 1 "y": yes; b claims 9: busy 1 "y"; pass 1; b claims 9: claimed 2 "y"',
  'grants a claim again as the same attempt to the token that holds it, with a new lease':
    'a claims 2 "x": claimed 1 "x"; pass 1; a claims 3 "y": claimed 1 "x"; b claims 1: busy 3 "x"; pass 5; a claims 1: claimed 1 "x"; a completes 9: yes; a claims 1: done "x"',
  'keeps the data of a new key, and ignores that of a known one':
    'a claims 1 "x": claimed 1 "x"; b claims 9 "y": busy 1 "x"; pass 1; b claims 9 "y": claimed 2 "x"; b completes 9: yes; c claims 1 "y": done "x"',
  'does not open a known key without data':
    'a claims 9: claimed 1; open: none; a releases: yes; b claims 9 "late": claimed 2; open: none',
  'forgets the data with the key, and accepts new data':
    'a claims 9 "x": claimed 1 "x"; a completes 1: yes; pass 1; b claims 9 "y": claimed 1 "y"; open: claimed 1 "y", leased 9, age 0',
  'forgets the data with the key, and accepts a key without data':
    'a claims 9 "x": claimed 1 "x"; a completes 1: yes; pass 1; b claims 9: claimed 1; open: none',
  'replaces the data at each call of the holder':
    'a claims 9 "1": claimed 1 "1"; a renews 9 "2": yes; open: claimed 1 "2", leased 9, age 0; a releases "3": yes; b claims 9: claimed 2 "3"; b completes 9 "": yes; c claims 1: done ""; b completes 1 "4": yes; pass 1; c claims 1: done "4"',
  'opens a claim that gets its first data late, with the age of its first claim':
    'a claims 9: claimed 1; pass 2; a renews 3 "late": yes; open: claimed 1 "late", leased 3, age 2; a releases: yes; open: claimed 1 "late", leased 0, age 2',
  'opens a claim that is released with its first data':
    'a claims 9: claimed 1; a releases "late": yes; open: claimed 1 "late", leased 0, age 0; b claims 9: claimed 2 "late"',
  'does not open a claim that is completed with its first data':
    'a claims 9: claimed 1; a completes 9 "late": yes; open: none; b claims 9: done "late"',
  'keeps a claim with data open, however long ago its lease ended':
    'a claims 1 "": claimed 1 ""; pass 300; purge; open: claimed 1 "", leased 0, age 300; b claims 1: claimed 2 ""',
  'does not list a key released with a retention, until it is claimed again':
    'a claims 9 "x": claimed 1 "x"; a releases 9 "y": yes; open: none; a completes 9: no; a renews 9: no; pass 1; b claims 1 "z": claimed 2 "y"; open: claimed 2 "y", leased 1, age 1; pass 30; purge; open: claimed 2 "y", leased 0, age 31; b releases: yes; open: claimed 2 "y", leased 0, age 31',
  'forgets a key released with a retention after it':
    'a claims 9 "x": claimed 1 "x"; a releases 2: yes; pass 2; purge; open: none; b claims 9 "y": claimed 1 "y"; open: claimed 1 "y", leased 9, age 0',
  'remembers a key released with a retention until then, also without data':
    'a claims 9: claimed 1; a releases 2: yes; pass 1; purge; b claims 9: claimed 2; pass 30; purge; c claims 9: claimed 3',
  'takes a running claim over, so that its holder counts no more':
    'a claims 9 "x": claimed 1 "x"; b takes 5 "y": claimed 2 "x"; open: claimed 2 "x", leased 5, age 0; a renews 9 "z": no; a releases "z": no; a completes 9 "z": no; c claims 1: busy 5 "x"; a takes 4: claimed 3 "x"; b completes 9: no; a completes 9: yes; kept: done "x"',
  'takes no completed key over':
    'a claims 9 "x": claimed 1 "x"; a completes 9 "y": yes; b takes 9 "z": done "y"; kept: done "y"',
  'takes a new, a free and an own key as a claim does':
    'a takes 3 "x": claimed 1 "x"; a takes 4 "y": claimed 1 "x"; a releases: yes; b takes 1: claimed 2 "x"; pass 1; c takes 1: claimed 3 "x"; c releases 2: yes; d takes 1 "z": claimed 4 "x"',
  'finds what is kept of a key, and changes nothing':
    'kept: none; a claims 1 "x": claimed 1 "x"; kept: open "x"; b claims 1: busy 1 "x"; pass 3; kept: open "x"; a renews 1 "y": yes; kept: open "y"; a releases "z": yes; kept: open "z"; open: claimed 1 "z", leased 0, age 3; b claims 1: claimed 2 "z"; b completes 2 "": yes; kept: done ""; pass 2; kept: none; purge; c claims 9: claimed 1; kept: open; c completes 9: yes; kept: done',
  'finds a key that was released with a retention until then':
    'a claims 9 "x": claimed 1 "x"; a releases 2: yes; kept: open "x"; open: none; pass 1; kept: open "x"; pass 1; purge; kept: none; b claims 9: claimed 1',
  'completes a key that was released with a retention and claimed again':
    'a claims 9 "x": claimed 1 "x"; a releases 9: yes; b claims 9: claimed 2 "x"; b completes 9: yes; b releases 1: no; pass 8; c claims 1: done "x"',
};
