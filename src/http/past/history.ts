/**
 * What this process knows of the earlier calls of an operation: people ask whether a return was refunded, not what became of its last request.
 * A journal knows it of all processes, and then its record decides.
 */

import { sha256Hex } from '../../base/bytes.ts';
import type { Outcome } from '../../base/errors.ts';

/** An operation that is in doubt: a call of it is under way, or ended with an unknown outcome. */
interface Doubt {
  /** When the first call of it began, in ms since 1970. */
  readonly startedAt: number;
  /** How many calls of it are under way. */
  calls: number;
  /** Whether a call of it ended with an unknown outcome. */
  isUnknown: boolean;
}

/** The operations of a process that took effect or are in doubt, by name. One that did neither has no past. */
class Memory {
  /** How many operations a process remembers: about 15 MB. */
  readonly capacity = 50_000;
  readonly doubts = new Map<string, Doubt>();
  /** When the first call of each began that took effect, in ms since 1970. */
  readonly executed = new Map<string, number>();
  /** When the last operation began that was forgotten in doubt. */
  forgottenAt = Number.NEGATIVE_INFINITY;

  /** Forgets successes first: a doubt that is forgotten puts every operation in doubt that is not remembered. */
  trim(): void {
    if (this.doubts.size + this.executed.size <= this.capacity) return;
    for (const name of this.executed.keys()) {
      this.executed.delete(name);
      return;
    }
    for (const [name, { startedAt, calls }] of this.doubts) {
      if (calls > 0) continue;
      this.doubts.delete(name);
      this.forgottenAt = Math.max(this.forgottenAt, startedAt);
      return;
    }
  }
}

/** Names the form of a memory: copies of the package with another one do not share it. */
const shared = Symbol.for('payments-client/history/1');

/** Returns the memory of the process, which all copies of the package share. */
function memoryOfProcess(): Memory {
  const place: typeof globalThis & { readonly [shared]?: Memory } = globalThis;
  // Not assigned: a process may freeze its global object.
  if (place[shared] === undefined) Reflect.set(place, shared, new Memory());
  own ??= place[shared] ?? new Memory();
  return place[shared] ?? own;
}

let own: Memory | undefined;

/** What is known of the earlier calls of an operation. */
export interface Past {
  readonly outcome: Outcome;
  /** Whether the service still knows their key, so that a repeat is safe. */
  readonly isKeyKnown: boolean;
}

/** How many former credentials of a client are remembered: keys are rotated rarely. */
const maxFormer = 8;

/** What a process knows of the operations of one client. */
export class History {
  /** How long the service is assumed to remember an idempotency key, in ms. */
  readonly keyLifetime: number;
  readonly #memory = memoryOfProcess();
  readonly #baseUrl: string;
  readonly #account: string | undefined;
  #credential = '';
  #owner: string;
  /** Whose operations those of its former credentials are: of the same merchant, whose key was rotated, or of another one. */
  #former: readonly string[] = [];

  /** @param account Whose the operations are, whatever the key and the base URL. Default: those of a key at a base URL. */
  constructor(keyLifetime: number, baseUrl: string, account: string | undefined) {
    this.keyLifetime = keyLifetime;
    this.#baseUrl = baseUrl;
    this.#account = account;
    this.#owner = account ?? '';
  }

  /** Begins a call of an operation. */
  begin(credential: string, operation: string, key: string): OperationCall {
    const name = this.#nameOf(credential, operation, key);
    const former = this.#former.map((owner) => `${owner} ${operation} ${key}`);
    return new OperationCall(this.#memory, [name, ...former], this.keyLifetime);
  }

  /** Returns what earlier calls of an operation may have done, and whether the service still knows their key. */
  pastOf(credential: string, operation: string, key: string): Past {
    const isKnown = credential !== '' || this.#account !== undefined;
    return isKnown ? this.#pastOf(this.#nameOf(credential, operation, key)) : this.#pastOfAny(operation, key);
  }

  #pastOf(name: string): Past {
    const { doubts, executed, forgottenAt } = this.#memory;
    const startedAt = executed.get(name) ?? doubts.get(name)?.startedAt ?? forgottenAt;
    const isKeyKnown = Date.now() - startedAt <= this.keyLifetime;
    if (executed.has(name)) return { outcome: 'executed', isKeyKnown };
    const isDoubted = doubts.has(name) || Date.now() - forgottenAt < this.keyLifetime;
    return { outcome: isDoubted ? 'unknown' : 'not_executed', isKeyKnown };
  }

  /** Before it is known whose call it is, it may be that of anybody. */
  #pastOfAny(operation: string, key: string): Past {
    const { doubts, executed } = this.#memory;
    const end = ` ${operation} ${key}`;
    const name = [...doubts.keys(), ...executed.keys()].find((one) => one.endsWith(end));
    const { outcome, isKeyKnown } = this.#pastOf(name ?? '');
    return { outcome: outcome === 'executed' ? 'unknown' : outcome, isKeyKnown };
  }

  /** One key for two methods names two operations. */
  #nameOf(credential: string, operation: string, key: string): string {
    if (credential !== this.#credential) {
      if (this.#credential !== '') this.#former = [this.#owner, ...this.#former].slice(0, maxFormer);
      this.#credential = credential;
      this.#owner = this.#account ?? sha256Hex(`${this.#baseUrl} ${credential}`).slice(0, 16);
    }
    return `${this.#owner} ${operation} ${key}`;
  }
}

/** A call of an operation, from before it is sent until its end. */
export class OperationCall {
  readonly #memory: Memory;
  readonly #name: string;
  readonly #keyLifetime: number;
  readonly #doubt: Doubt;
  /** Whether there may have been earlier calls: the process has forgotten some, or one was made with a former key, perhaps of another merchant. */
  readonly #isUnsure: boolean;
  /** Whether earlier calls took effect, or may have. */
  readonly hasPast: boolean;

  /** @param names Its name, and those that it had with former keys. */
  constructor(memory: Memory, [name, ...former]: readonly [string, ...string[]], keyLifetime: number) {
    const { doubts, executed, forgottenAt } = memory;
    const known = doubts.get(name);
    const isKnown = known !== undefined || executed.has(name);
    const begun = former.map((one) => executed.get(one) ?? doubts.get(one)?.startedAt);
    const earlier = begun.find((startedAt) => startedAt !== undefined);
    this.#memory = memory;
    this.#name = name;
    this.#keyLifetime = keyLifetime;
    this.#isUnsure = !isKnown && (earlier !== undefined || Date.now() - forgottenAt < keyLifetime);
    this.hasPast = isKnown || this.#isUnsure;
    this.#doubt = known ?? { startedAt: earlier ?? Date.now(), calls: 0, isUnknown: false };
    this.#doubt.calls += 1;
    doubts.set(name, this.#doubt);
  }

  /** Whether the service still knows the key of the first call, so that a decline or a replay speaks of it too. */
  get isKeyKnown(): boolean {
    const startedAt = this.#memory.executed.get(this.#name) ?? this.#doubt.startedAt;
    return Date.now() - startedAt <= this.#keyLifetime;
  }

  /**
   * Ends the call.
   *
   * @param outcome That of this call.
   * @param endsDoubt Whether its response tells what became of earlier calls too.
   * @returns The outcome of the operation.
   */
  end(outcome: Outcome, endsDoubt: boolean): Outcome {
    const { doubts, executed } = this.#memory;
    const doubt = this.#doubt;
    doubt.calls -= 1;
    if (outcome === 'executed' && !executed.has(this.#name)) executed.set(this.#name, doubt.startedAt);
    if (outcome === 'unknown' && !executed.has(this.#name)) doubt.isUnknown = true;
    // What other calls under way find out later changes nothing, unless it is a success.
    const isOver = endsDoubt || outcome === 'executed' || (doubt.calls === 0 && !doubt.isUnknown);
    if (isOver && doubts.get(this.#name) === doubt) doubts.delete(this.#name);
    this.#memory.trim();
    if (executed.has(this.#name)) return 'executed';
    return doubts.has(this.#name) || (this.#isUnsure && !endsDoubt) ? 'unknown' : outcome;
  }
}
