import { minute } from '../base/time.ts';
import type {
  Entry,
  RecordedAction,
  RecordedChange,
  RecordedDelivery,
  RecordedRequest,
} from '../stories/entry.ts';
import { isBulk } from '../stories/group.ts';
import type { LogEntry } from '../stories/log-entry.ts';
import type { Result } from '../stories/result.ts';
import { amountOf, stateOf } from './entry-text.ts';
import { moneyText } from './kit/values.tsx';

/** The lanes of the timeline, in which a cause stands. Its effects stand in the last two. */
export const lanes = ['buyer', 'your app', 'service', 'webhook'] as const;

type Lane = (typeof lanes)[number];

/** A cause with all that it brought about. */
export interface StoryRow {
  /** The number of its first entry. */
  readonly number: number;
  /** The time of its first entry, in ms since 1970. */
  readonly at: number;
  readonly lane: Lane;
  /** What happened, in a few words, such as `confirm`. */
  readonly what: string;
  /** Its amount; empty if it has none. */
  readonly amount: string;
  readonly result: Result | undefined;
  /** The requests or the action that caused it; none if time did. */
  readonly causes: readonly (RecordedRequest | RecordedAction)[];
  readonly changes: readonly RecordedChange[];
  readonly deliveries: readonly RecordedDelivery[];
}

/** Changes by time that are this close belong to one row, such as those of a renewal, in ms. */
const closeness = minute;

const isCause = (entry: Entry): entry is RecordedRequest | RecordedAction =>
  entry.kind === 'request' || entry.kind === 'action';

/** Whether a request only shows something to the buyer. */
function isPageView(entry: RecordedRequest | RecordedAction): boolean {
  return entry.kind === 'request' && entry.source === 'buyer' && entry.method === 'GET';
}

function laneOf(entry: RecordedRequest | RecordedAction): Lane {
  if (entry.kind === 'action') return entry.name === 'pay' ? 'buyer' : 'service';
  return entry.source === 'buyer' ? 'buyer' : 'your app';
}

function countText(count: number): string {
  return count === 1 ? 'looked at a page' : `looked at ${count} pages`;
}

/** An order's entries, with the effects of each. */
class Effects {
  readonly #changes: readonly RecordedChange[];
  readonly #deliveries: readonly RecordedDelivery[];
  readonly #causes: ReadonlySet<number>;

  constructor(entries: readonly Entry[]) {
    this.#changes = entries.filter((entry) => entry.kind === 'change');
    this.#deliveries = entries.filter((entry) => entry.kind === 'delivery');
    const causes = entries.filter((entry) => isCause(entry) && !isBulk(entry));
    this.#causes = new Set(causes.map(({ number }) => number));
  }

  changesOf({ number }: Entry): readonly RecordedChange[] {
    return this.#causes.has(number) ? this.#changes.filter(({ cause }) => cause === number) : [];
  }

  /** Whether time made a change, or an action on many orders at once. */
  isByTime(entry: Entry): entry is RecordedChange {
    return entry.kind === 'change' && (entry.cause === null || !this.#causes.has(entry.cause));
  }

  deliveriesOf(changes: readonly RecordedChange[]): readonly RecordedDelivery[] {
    const events = new Set(changes.flatMap((change) => change.events.map(({ id }) => id)));
    return this.#deliveries.filter(({ event }) => events.has(event.id));
  }
}

/** What the log says of requests and actions, by their numbers. */
type Words = ReadonlyMap<number, Pick<StoryRow, 'what' | 'amount' | 'result'>>;

function wordsOf(log: readonly LogEntry[]): Words {
  return new Map(
    log.flatMap((entry) => {
      if (!('what' in entry)) return [];
      const { number, what, money, result } = entry;
      const amount = money === null ? '' : moneyText(money.amount, money.currency);
      return [[number, { what, amount, result: result ?? undefined }] as const];
    }),
  );
}

function rowOfCause(cause: RecordedRequest | RecordedAction, effects: Effects, words: Words): StoryRow {
  const changes = effects.changesOf(cause);
  return {
    number: cause.number,
    at: cause.at,
    lane: laneOf(cause),
    ...(words.get(cause.number) ?? { what: '', amount: '', result: undefined }),
    causes: [cause],
    changes,
    deliveries: effects.deliveriesOf(changes),
  };
}

const results: Readonly<Record<string, Result>> = {
  'charge succeeded': { mark: '✓', text: 'charged' },
  'charge failed': { mark: '✗', text: 'declined' },
  'refund succeeded': { mark: '✓', text: 'refunded' },
  'refund failed': { mark: '✗', text: 'refund failed' },
  'checkout_session expired': { mark: '✓', text: 'expired' },
};

/** What time made of an order's objects. */
function resultOf(changes: readonly RecordedChange[]): Result | undefined {
  return changes
    .map(({ object, after }) => results[`${object.kind} ${stateOf(after)}`])
    .find((result) => result !== undefined);
}

/** Whether an event or a state names a renewal of a subscription. */
function isRenewal(changes: readonly RecordedChange[]): boolean {
  return changes.some(({ object, before }) => object.kind === 'invoice' && before === null);
}

function rowOfTime(changes: readonly RecordedChange[], effects: Effects): readonly StoryRow[] {
  const [first] = changes;
  if (first === undefined) return [];
  const row: StoryRow = {
    number: first.number,
    at: first.at,
    lane: 'service',
    what: isRenewal(changes) ? 'renewal' : 'by itself',
    amount: changes.map(({ after }) => amountOf(after)).find((text) => text !== undefined) ?? '',
    result: resultOf(changes),
    causes: [],
    changes,
    deliveries: effects.deliveriesOf(changes),
  };
  return [row];
}

function rowOfPages(pages: readonly RecordedRequest[]): readonly StoryRow[] {
  const [first] = pages;
  if (first === undefined) return [];
  const { number, at } = first;
  const what = countText(pages.length);
  return [
    {
      number,
      at,
      lane: 'buyer',
      what,
      amount: '',
      result: undefined,
      causes: pages,
      changes: [],
      deliveries: [],
    },
  ];
}

/** Groups consecutive items: each belongs with the one before if `belongs` says so. */
function runsOf<T>(items: readonly T[], belongs: (item: T, before: T) => boolean): readonly (readonly T[])[] {
  const runs: T[][] = [];
  for (const item of items) {
    const last = runs.at(-1);
    const before = last?.at(-1);
    if (last !== undefined && before !== undefined && belongs(item, before)) last.push(item);
    else runs.push([item]);
  }
  return runs;
}

/** Returns what happened to an order as causes with their effects, oldest first. */
export function storyRows(entries: readonly Entry[], log: readonly LogEntry[]): readonly StoryRow[] {
  const effects = new Effects(entries);
  const words = wordsOf(log);
  const told = entries.filter((entry) => isCause(entry) || effects.isByTime(entry));
  const isPage = (entry: Entry) => isCause(entry) && isPageView(entry);
  const runs = runsOf(told, (entry, before) => {
    if (isPage(entry)) return isPage(before);
    return effects.isByTime(entry) && effects.isByTime(before) && entry.at - before.at <= closeness;
  });
  return runs.flatMap((run) => {
    const pages = run.filter((entry) => entry.kind === 'request' && isPageView(entry));
    if (pages.length === run.length) return rowOfPages(pages.filter((entry) => entry.kind === 'request'));
    const changes = run.filter((entry) => entry.kind === 'change');
    if (changes.length > 0) return rowOfTime(changes, effects);
    return run.filter(isCause).map((cause) => rowOfCause(cause, effects, words));
  });
}
