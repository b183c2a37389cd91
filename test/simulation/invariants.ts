import { PaymentsError } from 'payments-client';
import { merchantOfRecord, nameOf } from './merchants.ts';
import type { Effect } from './service.ts';
import type { Written } from './shared-store.ts';

/** The request of a call. */
export interface CallRequest {
  /** The name of the call, which its requests carry. */
  readonly call: string;
  readonly order: string;
  readonly amount: number;
}

/** The result of a call, whatever its endpoint. */
export interface CallResult {
  readonly order: string;
  readonly amount: number | undefined;
  readonly isExecuted: boolean;
}

interface Reported {
  readonly state: string;
  readonly isCompleted: boolean;
}

const nothing: Reported = { state: 'nothing', isCompleted: false };

/** The invariants after each step of an episode. The first violation ends it. */
export class Invariants {
  #violation: string | undefined;
  readonly #effects = new Map<string, Effect[]>();
  /** The journal's state of each order. */
  readonly #journalStates = new Map<string, Reported>();
  readonly #effectsOfCalls = new Set<string>();
  readonly #notExecuted = new Set<string>();
  readonly #onViolation: () => void;

  constructor(onViolation: () => void) {
    this.#onViolation = onViolation;
  }

  /** The violated invariant; `undefined` while all hold. */
  get violation(): string | undefined {
    return this.#violation;
  }

  require(holds: boolean, otherwise: string): void {
    if (holds || this.#violation !== undefined) return;
    this.#violation = otherwise;
    this.#onViolation();
  }

  effectsOf(order: string): readonly Effect[] {
    return this.#effects.get(order) ?? [];
  }

  /** Money moved. */
  happened(effect: Effect): void {
    const { order, call } = effect;
    const effects = [...this.effectsOf(order), effect];
    this.#effects.set(order, effects);
    this.require(effects.length === 1, `${order} took effect ${effects.length} times`);
    const { state, isCompleted } = this.#journalStates.get(order) ?? nothing;
    const isOpen = (state === 'running' || state === 'unknown') && !isCompleted;
    this.require(isOpen, `${order} took effect while the journal said '${state}'`);
    if (call === null) return;
    this.#effectsOfCalls.add(call);
    this.require(!this.#notExecuted.has(call), `${call} said 'not_executed', and took effect afterwards`);
  }

  /** A record of the journal was written. */
  wrote({ data, isCompleted }: Written): void {
    // A journal that names an account looks for a key that there may not be.
    if (data === undefined) return;
    const { state, operationId, lookUp, content, credential } = JSON.parse(data);
    const { order: id = lookUp?.orderid } = Object(JSON.parse(content ?? '{}').metadata);
    const order = nameOf(id, merchantOfRecord(credential));
    this.#journalStates.set(order, { state, isCompleted });
    const count = this.effectsOf(order).length;
    if (state === 'refused') this.require(count === 0, `the journal says that ${order} was refused`);
    if (state === 'planned') this.require(count === 0, `the journal says that ${order} is only planned`);
    if (state === 'settled') this.require(count > 0, `the journal says that ${order} took effect`);
    this.require(
      operationId === undefined || operationId === id,
      `the journal calls ${order} '${operationId}'`,
    );
    const isEnd = state === 'done' || state === 'settled';
    this.require(isEnd === isCompleted, `the journal closed ${order} as '${state}'`);
  }

  /** A call returned a value. */
  returned({ call, order, amount }: CallRequest, answered: CallResult): void {
    const what = `${call} returned the result`;
    this.require(answered.order === order, `${what} of ${answered.order}`);
    this.require(
      answered.amount === undefined || answered.amount === amount,
      `${what} of another amount: ${answered.amount}`,
    );
    this.require(
      this.effectsOf(order).length > 0 === answered.isExecuted,
      `${what} of an effect that did not happen, or of none though there is one`,
    );
  }

  /** A call threw an error. */
  threw({ call, order }: CallRequest, error: unknown): void {
    this.require(error instanceof PaymentsError, `${call} threw ${error}`);
    if (!(error instanceof PaymentsError)) return;
    const what = `${call} said '${error.outcome}' (${error.name})`;
    if (error.outcome === 'executed') {
      this.require(this.effectsOf(order).length > 0, `${what}, and nothing happened`);
    }
    if (error.outcome !== 'not_executed') return;
    this.#notExecuted.add(call);
    this.require(!this.#effectsOfCalls.has(call), `${what}, after it took effect`);
  }
}
