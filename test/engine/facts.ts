import type { Money } from './dimensions/currencies.ts';
import type { EventPlan } from './dimensions/deliveries.ts';
import type { OrderKind } from './dimensions/orders.ts';
import { promises } from './promises.ts';

/** What a caller gets, whatever its endpoint. */
export interface CallResult {
  /** The name of the order that the result names. */
  readonly of: string;
  /** The id of the service's object. */
  readonly id: string;
  /** `undefined` if the reply shows none. */
  readonly money: Money | undefined;
  /** Whether the service accepted it. */
  readonly isExecuted: boolean;
  /** The object's status; `undefined` for a sale. */
  readonly status: string | undefined;
  /** Whether it says that it was recorded earlier. */
  readonly isMarked: boolean;
  /** Whether the caller took the object, which is retrieved after a replay. */
  readonly isObject: boolean;
  /** Whether its call sent more than one request. */
  readonly isRetried: boolean;
}

/** The facts of an order's call: `of` is the order's name, `call` that of the call, `null` if the request names none. */
interface OfCall {
  readonly of: string;
  readonly call: string | null;
}

/** A run of a handler: `of` is the event's name, `life` that of its process. */
interface OfRun {
  readonly of: string;
  readonly life: string;
  /** Names the run. */
  readonly run: string;
}

/** Everything that the drivers observe. Each fact is about one order or event, which `of` names. */
export interface Facts {
  /** A call began. */
  readonly called: OfCall & { readonly at: number };
  /** A request left, or arrived at the service. */
  readonly sent: OfCall & {
    readonly key: string | undefined;
    readonly body: string;
    readonly at: number;
    /** Whether a fault stopped its process before. */
    readonly isExcused: boolean;
  };
  readonly arrived: OfCall;
  /** Money moved. */
  readonly executed: OfCall & { readonly money: Money; readonly isKeyed: boolean; readonly at: number };
  /** A 2xx with JSON, whole, spoiled or cut off, reached the caller. */
  readonly succeeded: OfCall;
  readonly returned: OfCall & { readonly asked: Money; readonly result: CallResult };
  readonly threw: OfCall & {
    readonly name: string;
    readonly outcome: string;
    /** Whether it is an error of the package. */
    readonly isOurs: boolean;
    readonly isResumed: boolean;
    /** The other calls of the order that its process made. */
    readonly knows: readonly string[];
    /** Whether its process stood still, perhaps after it had read the journal's record. */
    readonly hasStalled: boolean;
    /** Whether its process forgets an operation when a call of it ends. */
    readonly isForgetful: boolean;
    /** Whether it says the same after it was stored as data. */
    readonly isSameAsData: boolean;
  };
  /** The store has another record of the operation. */
  readonly recorded: {
    readonly of: string;
    readonly state: string;
    readonly isCompleted: boolean;
    /** Whether it says whose it is. */
    readonly isNamed: boolean;
    readonly at: number;
  };
  /** The service's object got another status after its reply. */
  readonly changed: { readonly of: string; readonly status: string; readonly at: number };
  /** A person is asked to look an operation up. */
  readonly asked: {
    readonly of: string;
    readonly lookUp: Readonly<Record<string, unknown>>;
    /** Whether nothing can have been sent, and the journal can know it. */
    readonly isNeedless: boolean;
  };
  readonly tried: { readonly of: string; readonly tries: number };
  readonly ended: { readonly of: string; readonly end: 'result' | 'error' | 'refused' };

  readonly began: OfRun & {
    readonly at: number;
    /** How long its process may hold the event at least, in ms. */
    readonly holds: number;
    /** Whether a fault has hit its process by now. */
    readonly isExcused: () => boolean;
  };
  /** The handler returned, or its process died: only the others still run. */
  readonly stopped: OfRun & { readonly how: 'returned' | 'threw' | 'died' };
  /** The handler's effect is committed. */
  readonly affected: { readonly of: string };
  /** The store has recorded the event as handled, or has it no more. */
  readonly handled: { readonly of: string; readonly isHandled: boolean };
  /** A verified body without an event for a handler reached `onUnreadable`. */
  readonly unread: { readonly of: string };
  /** The service got a response, such as `200 handled`, or none. */
  readonly responded: { readonly of: string; readonly life: string; readonly response: string | undefined };
  readonly reported: {
    readonly of: string;
    readonly life: string;
    readonly response: string;
    readonly isVerified: boolean;
    readonly hasIssues: boolean;
    /** Whether the delivery had the claim. */
    readonly hasClaim: boolean;
  };
  /** A process of the merchant ended: killed, or by itself. */
  readonly gone: { readonly of: string; readonly isKilled: boolean };

  /** Somebody got a text, or the store keeps it. */
  readonly shown: { readonly of: string; readonly text: string };
  /** All faults are over, and everybody had the time to finish. `open` is what the journal still lists. */
  readonly rested: { readonly of: string; readonly open: readonly string[] };
}

export type What = keyof Facts;

/** An order, as far as the promises concern it. */
export interface ExpectedOrder {
  readonly kind: OrderKind;
  /** Whether another merchant's order has the same id. */
  readonly isShared: boolean;
  /** Whether it may be refused, since its keys were rotated without an account. */
  readonly mayBeRefused: boolean;
  /** The fields by which a person may have to look it up, by the parameters of each caller. */
  readonly lookUps: readonly Readonly<Record<string, unknown>>[];
}

/** What must come true in a world. */
export interface Expected {
  readonly orders: ReadonlyMap<string, ExpectedOrder>;
  readonly events: ReadonlyMap<string, Pick<EventPlan, 'kind' | 'mode' | 'movesMoney'>>;
  readonly hasJournal: boolean;
  /** Whether its store loses acknowledged writes. Then most promises are not made. */
  readonly losesWrites: boolean;
  /** How long the service remembers a key, in ms. */
  readonly keyMemory: number;
  /** Texts that nobody may get. */
  readonly secrets: readonly string[];
}

/** A promise that does not hold, and why. */
export interface Violation {
  readonly promise: string;
  readonly why: string;
}

/** The books of a world: every fact, and the first violation of a promise. Both drivers write them. */
export class Book {
  readonly expected: Expected;
  violation: Violation | undefined;
  /** The kinds of its facts. */
  readonly kinds = new Set<What>();
  readonly #facts = new Map<string, Facts[What][]>();
  readonly #onViolation: () => void;

  constructor(expected: Expected, onViolation: () => void = () => {}) {
    this.expected = expected;
    this.#onViolation = onViolation;
  }

  /** Notes a fact, and asks each promise. */
  note<W extends What>(what: W, fact: Facts[W]): void {
    if (this.violation !== undefined) return;
    this.kinds.add(what);
    this.#index(what, fact.of, fact);
    if ('call' in fact && fact.call !== null) this.#index(what, fact.call, fact);
    if ('life' in fact) this.#index(what, fact.life, fact);
    for (const [promise, rules] of promises) {
      const why = rules[what]?.(fact, this);
      if (why === undefined) continue;
      this.violation = { promise, why };
      this.#onViolation();
      return;
    }
  }

  /** Returns the facts of one kind about an order, an event or a call, in order. */
  about<W extends What>(what: W, subject: string): readonly Facts[W][] {
    // Only facts of this kind are kept under its name.
    return (this.#facts.get(`${what} ${subject}`) ?? []) as unknown as readonly Facts[W][];
  }

  #index<W extends What>(what: W, subject: string, fact: Facts[W]): void {
    const key = `${what} ${subject}`;
    const known = this.#facts.get(key);
    if (known === undefined) this.#facts.set(key, [fact]);
    else known.push(fact);
  }
}
