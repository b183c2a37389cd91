import { isReadable, isUnreadable } from './dimensions/deliveries.ts';
import type { Book, CallResult, Facts, What } from './facts.ts';

/** Returns why the promise does not hold after a fact; nothing if it does. `book` has all facts so far, this one too. */
type Rule<W extends What> = (fact: Facts[W], book: Book) => string | undefined;

type Rules = { readonly [W in What]?: Rule<W> };

/** The longest an operation may take, in calls. */
const mostTries = 40;

const isTaken = (kind: string) => kind === 'intent' || kind === 'sale' || kind === 'refund';

/** An operation without a known end, which may have been sent. */
const isOpenState = (state: string | undefined) => state === 'running' || state === 'unknown';

const accountOf = (name: string) => name.split('@')[1];

/** Whether an order ended without a result, since the journal took it for another merchant's. */
function wasRefused(book: Book, order: string): boolean {
  return book.about('ended', order).at(-1)?.end === 'refused';
}

function isReadableIn({ expected }: Book, name: string): boolean {
  const event = expected.events.get(name);
  return event !== undefined && isReadable(event);
}

function isHandled(book: Book, event: string): boolean {
  return book.about('handled', event).at(-1)?.isHandled === true;
}

/** Returns the calls of an operation that a process knows. One without room may forget a success, but no doubt. */
function remembered(
  { knows, isForgetful }: Pick<Facts['threw'], 'knows' | 'isForgetful'>,
  book: Book,
): readonly string[] {
  const succeeded = (call: string) =>
    book.about('returned', call).length > 0 ||
    book.about('threw', call).some(({ outcome }) => outcome === 'executed');
  return isForgetful && knows.some(succeeded) ? [] : knows;
}

/** Whether a result has a status that the object had since the call began. */
function isCurrent(of: string, call: string, { status }: CallResult, book: Book): boolean {
  const since = book.about('called', call)[0]?.at ?? 0;
  const changes = book.about('changed', of);
  const before = changes.findLast(({ at }) => at <= since);
  if (before === undefined && changes.every((change) => change.status !== status)) return true;
  return changes.some((change) => change.status === status && (change === before || change.at > since));
}

/** What a receiver may answer to each kind of event. */
const responses = {
  good: /^(200 (handled|duplicate)|409 in_progress|50[03] failed)$/,
  drifted: /^(200 (handled|duplicate)|409 in_progress|50[03] failed)$/,
  ignored: /^200 handled$/,
  noEvent: /^(409 in_progress|50[03] failed)$/,
  otherMode: /^(409 in_progress|50[03] failed)$/,
  forged: /^400 refused$/,
};

/** How often each text occurs. */
function count(texts: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
}

/**
 * What the package promises over time, each by one name: the numbers are those of the design's promises. Of two that a
 * fact violates, the first is reported. A promise is shown to fall by a defect in `planted.ts`.
 */
const rules = {
  /** 9. */
  'a record belongs to one account': {
    executed: ({ of }, { expected: { orders, events } }) =>
      orders.has(of) || events.get(of)?.movesMoney === true
        ? undefined
        : `${of} was sent by another merchant`,
    returned: ({ of, result }) =>
      accountOf(of) === accountOf(result.of) ? undefined : `${of} returned the result of ${result.of}`,
    ended({ of, end }, { expected: { orders } }) {
      const order = orders.get(of);
      return end !== 'refused' || order?.isShared === true || order?.mayBeRefused === true
        ? undefined
        : `${of} was refused as another merchant's`;
    },
    recorded: ({ of, isNamed }) => (isNamed ? undefined : `the record of ${of} has another id`),
  },

  /** 6. */
  'a successful charge is never reported as failed': {
    threw: ({ call, outcome }, book) =>
      call !== null && outcome !== 'executed' && book.about('succeeded', call).length > 0
        ? `${call} got a success, and said '${outcome}'`
        : undefined,
    returned: ({ of, result }, book) =>
      !result.isExecuted && book.about('executed', of).length > 0
        ? `${of} took effect, and its result says that it did not`
        : undefined,
  },

  /** 2, of the whole operation: over all calls of one process, and with a journal of all processes. */
  'an error says truly whether money moved': {
    executed: ({ call }, book) =>
      call !== null && book.about('threw', call).some(({ outcome }) => outcome === 'not_executed')
        ? `${call} said 'not_executed', and took effect afterwards`
        : undefined,
    threw({ of, call, name, outcome, isOurs, isResumed, isSameAsData, ...process }, book) {
      // `resume` of a sale throws what the store throws, as `open` does: a later issue may make it a JournalError.
      if (!isOurs) return isResumed ? undefined : `a call of ${of} threw ${name}`;
      if (!isSameAsData) return `${name} of ${call} says something else as data`;
      if (outcome === 'executed' && book.about('executed', of).length === 0)
        return `${call} said 'executed' (${name}), and nothing happened`;
      const { hasJournal, losesWrites } = book.expected;
      const known = remembered(process, book);
      const isRead = hasJournal && !losesWrites && !process.hasStalled;
      const calls = isRead ? [of] : [...known, ...(call === null ? [] : [call])];
      const isExecuted = calls.some((one) => book.about('executed', one).length > 0);
      return outcome === 'not_executed' && isExecuted
        ? `${call} said 'not_executed' (${name}), after ${of} took effect`
        : undefined;
    },
    returned: ({ of, result }, book) =>
      result.isExecuted && book.about('executed', of).length === 0
        ? `${of} returned the result of an effect that did not happen`
        : undefined,
  },

  /** 3. The repetitions within one call. */
  'nothing is repeated that could act twice': {
    sent({ call, key, body }, book) {
      if (call === null) return undefined;
      const [first] = book.about('sent', call);
      if (key === undefined)
        return book.about('arrived', call).length > 0
          ? `${call} sent a request without a key again`
          : undefined;
      if (first?.key !== key) return `${call} changed its idempotency key`;
      return first.body === body ? undefined : `${call} changed the body of its request`;
    },
  },

  /** 1. A store that loses writes loses what only it knows: a key that the service remembers still prevents a second charge. */
  'one business operation has one charge': {
    executed({ of, isKeyed, at }, book) {
      const effects = book.about('executed', of);
      const { losesWrites, keyMemory } = book.expected;
      const isForgotten = !isKeyed || at - (effects[0]?.at ?? at) > keyMemory;
      if (effects.length < 2 || (losesWrites && isForgotten)) return undefined;
      return `${of} took effect ${effects.length} times`;
    },
    rested(_, book) {
      const { orders, events, losesWrites, hasJournal } = book.expected;
      if (losesWrites) return undefined;
      const counts = [
        ...[...orders].flatMap(([name, { kind, mayBeRefused }]) => {
          const isRefused = wasRefused(book, name);
          // Refused after a rotation: it may have been executed with the former key. A sale without a journal is called once.
          const isOpen = (isRefused && mayBeRefused) || (!hasJournal && kind === 'sale');
          return isOpen ? [] : [{ name, count: isTaken(kind) && !isRefused ? 1 : 0 }];
        }),
        ...[...events].map(([name, event]) => ({
          name,
          count: event.movesMoney && isReadable(event) ? 1 : 0,
        })),
      ];
      const wrong = counts.find(({ name, count: due }) => book.about('executed', name).length !== due);
      return (
        wrong && `${wrong.name} took effect ${book.about('executed', wrong.name).length} times in the end`
      );
    },
  },

  /** 1, by the journal: what is sent is recorded as such before. */
  'a request is recorded before it is sent': {
    executed({ of }, book) {
      const { hasJournal, losesWrites } = book.expected;
      if (!hasJournal || losesWrites) return undefined;
      const { state = 'nothing', isCompleted = false } = book.about('recorded', of).at(-1) ?? {};
      return isOpenState(state) && !isCompleted
        ? undefined
        : `${of} took effect while the journal said '${state}'`;
    },
  },

  /**
   * 1 and 2, by the journal: a recorded end is final, a sale is never repeated, and a key no longer than the service knows it. Two calls with a
   * key may be under way at once.
   */
  'the journal sends nothing that may have an end': {
    sent({ of, call, key, at, isExcused }, book) {
      const { hasJournal, losesWrites, keyMemory } = book.expected;
      if (!hasJournal || losesWrites || isExcused) return undefined;
      const records = book.about('recorded', of);
      const last = records.at(-1);
      const [called] = call === null ? [] : book.about('called', call);
      const isLate = key === undefined || (called !== undefined && called.at > (last?.at ?? at));
      if (last?.isCompleted && isLate) return `${of} was sent again after its end`;
      if (!isOpenState(records.at(-2)?.state)) return undefined;
      if (key === undefined) return `${of} has no key, and was sent again`;
      // A refusal ends a try: the next one may be sent whenever it likes.
      const refusal = records.findLast(({ state }) => state === 'refused' || state === 'planned');
      const first = book.about('sent', of).find((sent) => sent.at >= (refusal?.at ?? 0));
      const age = at - (first?.at ?? at);
      return age > keyMemory ? `${of} was sent again with a key that is ${age} ms old` : undefined;
    },
  },

  /** 2, by the journal. */
  'the journal says truly how an operation ended': {
    recorded({ of, state, isCompleted }, book) {
      const effects = book.about('executed', of).length;
      if ((state === 'refused' || state === 'planned') && effects > 0)
        return `the journal says that ${of} is ${state}, and it took effect`;
      if (state === 'settled' && effects === 0) return `the journal says that ${of} took effect`;
      const isEnd = state === 'done' || state === 'settled';
      return isEnd === isCompleted ? undefined : `the journal closed ${of} as '${state}'`;
    },
  },

  /** 9: of its order, amount and currency, and the same for every caller. */
  'a result is that of its operation': {
    returned({ of, asked, result }, book) {
      if (result.of !== of) return `${of} returned the result of ${result.of}`;
      const { money } = result;
      if (money !== undefined && (money.amount !== asked.amount || money.currency !== asked.currency))
        return `${of} returned ${money.amount} ${money.currency} instead of ${asked.amount} ${asked.currency}`;
      const [first] = book.about('returned', of);
      if (book.about('executed', of).length !== 1 || first === undefined) return undefined;
      return first.result.id === result.id
        ? undefined
        : `${of} returned ${first.result.id}, and then ${result.id}`;
    },
  },

  /** 2. An object is retrieved after a replay; a response shows what was recorded. */
  'a result of an earlier call is current, or says so': {
    returned({ of, call, result }, book) {
      const [effect] = book.about('executed', of);
      if (effect === undefined || effect.call === null || effect.call === call || result.isMarked)
        return undefined;
      // The reply to a second request counts as that to the first one, unless the process knew of an earlier call when it began.
      if (result.isRetried) return undefined;
      if (result.isObject && call !== null && isCurrent(of, call, result, book)) return undefined;
      return `${call} returned the result of ${effect.call} as its own, with the status ${result.status}`;
    },
  },

  /** 8. */
  'no secret is shown or kept': {
    shown({ of, text }, { expected: { secrets } }) {
      const leaked = secrets.findIndex((secret) => text.includes(secret));
      return leaked < 0 ? undefined : `${of} has secret ${leaked}: ${text.slice(0, 400)}`;
    },
  },

  /** 2: what nobody can know is a question to a person, who gets what is needed for the answer. */
  'a person is asked what only a person can find out': {
    asked({ of, lookUp, isNeedless }, { expected: { orders } }) {
      if (isNeedless) return `${of} asks a person, though nothing was sent`;
      const fields = (one: object) => JSON.stringify(Object.entries(one).sort());
      const isKnown = orders.get(of)?.lookUps.some((one) => fields(one) === fields(lookUp)) === true;
      return isKnown ? undefined : `${of} is looked up by ${fields(lookUp)}`;
    },
  },

  'every operation comes to an end': {
    tried: ({ of, tries }) => (tries > mostTries ? `${of} does not come to an end` : undefined),
    rested({ open }, book) {
      const { orders, losesWrites } = book.expected;
      const endless = [...orders.keys()].find((name) => book.about('ended', name).length === 0);
      if (endless !== undefined) return `${endless} did not come to an end`;
      return open.length === 0 || losesWrites ? undefined : `${open} stayed open`;
    },
  },

  /** Webhooks. */
  'an event is handled once, by one process at a time': {
    began({ of, run, at, isExcused }, book) {
      if (isExcused() || book.expected.losesWrites) return undefined;
      if (isHandled(book, of)) return `${of} was handled after it was recorded as handled`;
      const stops = new Map(book.about('stopped', of).map((stop) => [stop.run, stop]));
      const other = book.about('began', of).find((earlier) => {
        const stop = stops.get(earlier.run);
        if (earlier.run === run || earlier.isExcused() || (stop && stop.how !== 'returned')) return false;
        return at - earlier.at < earlier.holds;
      });
      return other && `${of} was handled by ${run} after ${other.run}`;
    },
  },

  'an event is acknowledged when it is handled and recorded': {
    responded({ of, response = '' }, book) {
      const event = book.expected.events.get(of);
      if (event === undefined || !isReadable(event) || !response.startsWith('200')) return undefined;
      const isDone = book.about('stopped', of).some(({ how }) => how === 'returned');
      if (!isDone) return `${of} was acknowledged before it was handled`;
      return isHandled(book, of) || book.expected.losesWrites
        ? undefined
        : `${of} was acknowledged before it was recorded`;
    },
  },

  'an event takes effect exactly once in a transaction': {
    affected({ of }, book) {
      const mode = book.expected.events.get(of)?.mode;
      if (mode === 'leased' || book.expected.losesWrites) return undefined;
      return book.about('affected', of).length > 1 ? `${of} took effect twice` : undefined;
    },
  },

  'every authentic event is handled': {
    rested(_, book) {
      const lost = [...book.expected.events].find(
        ([name, event]) =>
          (isReadable(event) && book.about('affected', name).length === 0) ||
          (isUnreadable(event) && book.about('unread', name).length === 0),
      );
      return lost && `${lost[0]} was lost`;
    },
  },

  'a forged delivery has no effect': {
    began: ({ of }, book) => (isReadableIn(book, of) ? undefined : `${of} reached a handler`),
    affected: ({ of }, book) => (isReadableIn(book, of) ? undefined : `${of} had an effect`),
    unread({ of }, { expected: { events } }) {
      const event = events.get(of);
      return event !== undefined && isUnreadable(event) ? undefined : `${of} reached onUnreadable`;
    },
  },

  'each delivery is answered and reported truly, once': {
    responded({ of, response }, { expected: { events } }) {
      const event = events.get(of);
      return response === undefined || (event && responses[event.kind].test(response))
        ? undefined
        : `${of} was answered ${response}`;
    },
    reported({ of, response, isVerified, hasIssues }, { expected: { events } }) {
      const event = events.get(of);
      const isTrue =
        event === undefined
          ? isVerified
            ? hasIssues
            : /refused|failed/.test(response)
          : isVerified && hasIssues === (event.kind === 'drifted');
      return isTrue ? undefined : `${of} was reported as ${response}, issues: ${hasIssues}`;
    },
    gone({ of: life, isKilled }, book) {
      const got = book.about('responded', life);
      const received = got.flatMap(({ response }) => response ?? []);
      const reports = book.about('reported', life);
      const reported = count(reports.map(({ response }) => response));
      const missed = [...count(received)].find(([response, times]) => (reported.get(response) ?? 0) < times);
      if (missed !== undefined) return `${life} answered ${missed[0]}, and did not report it`;
      if (reports.length - received.length > got.length - received.length) return `${life} reported too much`;
      for (const [event, runs] of count(book.about('began', life).map(({ of }) => of))) {
        const own = reports.filter(({ of }) => of === event);
        const ends = own.filter(({ hasClaim }) => hasClaim).length;
        // A failed transaction may have no claim, so it is unknown whether its handler ran.
        const unsure = own.filter(
          ({ hasClaim, response }) => !hasClaim && response.endsWith('failed'),
        ).length;
        if (ends > runs || (!isKilled && runs > ends + unsure))
          return `${life} ran ${event} ${runs} times, and reported ${ends}`;
      }
      return undefined;
    },
  },

  /** 9: of a sale, whose result names no money, and of all others. */
  'the money that moves is what was asked': {
    returned({ of, asked }, book) {
      const money = book.about('executed', of)[0]?.money ?? asked;
      return money.amount === asked.amount && money.currency === asked.currency
        ? undefined
        : `${of} moved ${money.amount} ${money.currency} instead of ${asked.amount} ${asked.currency}`;
    },
  },

  /** 2: a refund needs it. */
  "a result names the service's object": {
    returned: ({ of, result }) => (result.id === '' ? `${of} returned a result without an id` : undefined),
  },
} satisfies Record<string, Rules>;

/** The name of a promise. */
export type PromiseName = keyof typeof rules;

export const promises: readonly (readonly [string, Rules])[] = Object.entries(rules);
