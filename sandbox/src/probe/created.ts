import { createdId, customerIn, deletionOf } from './gaps/test-customer.ts';
import { isImpossible, noCollection, noOperation } from './impossible.ts';
import type { HoldsKey } from './keys.ts';
import { type Answer, fieldOf, isPlain, okOf, type Question } from './question.ts';
import { Unanswered } from './sender.ts';

/** An object that the probe made, or may have made, and did not delete. */
export interface Leftover {
  /** The path at which it was created. */
  readonly path: string;
  /** Its id; `undefined` if the service sent none that can be shown. */
  readonly id?: string | undefined;
  /** Why it is still there. */
  readonly reason: string;
}

/** A service that answers every path alike accepts these too, and creates nothing. */
const isControl = (path: string) =>
  path.includes(noCollection) || path.includes(noOperation) || path.endsWith('/restore');

/** Returns the path of a write that the service accepted although it had to refuse it: it may have created something, as a PUT does. */
export function acceptedByMistake(question: Question, answer: Answer): string | undefined {
  if (question.kind !== 'locked' || question.method === 'DELETE' || isControl(question.path))
    return undefined;
  return okOf(answer) === undefined ? undefined : question.path;
}

/** Tracks the objects that the probe creates and that do not expire, and deletes those that are left. */
export class Creations {
  readonly #ask: (question: Question) => Promise<Answer>;
  readonly #holdsKey: HoldsKey;
  /** The ids of the customers to delete. */
  readonly #customers = new Set<string>();
  readonly #leftovers = new Map<string, Leftover>();
  #count = 0;

  constructor(ask: (question: Question) => Promise<Answer>, holdsKey: HoldsKey) {
    this.#ask = ask;
    this.#holdsKey = holdsKey;
  }

  /** How many requests were sent. */
  get count(): number {
    return this.#count;
  }

  /** Asks a question, and tracks what it creates or deletes. */
  async ask(question: Question): Promise<Answer> {
    this.#count += 1;
    try {
      const answer = await this.#ask(question);
      this.#track(question, answer);
      return answer;
    } catch (error) {
      if (error instanceof Unanswered) this.#trackLost(question, error.message);
      throw error;
    }
  }

  /** Deletes the objects that are left, even if the probe has stopped. Returns those that remain. */
  async cleanUp(): Promise<readonly Leftover[]> {
    for (const id of this.#customers) {
      try {
        await this.ask(deletionOf(id));
      } catch (error) {
        if (!(error instanceof Unanswered)) throw error;
      }
    }
    return [...this.#leftovers.values()];
  }

  #track(question: Question, answer: Answer): void {
    const accepted = acceptedByMistake(question, answer);
    if (accepted !== undefined) this.#keepAccepted(accepted, answer);
    if (question.kind !== 'write' || question.expires) return;
    if (question.method === 'DELETE') this.#trackDeletion(question.path, answer);
    else this.#trackCreation(question.path, answer);
  }

  #keepAccepted(path: string, answer: Answer): void {
    const segments = path.split('/');
    const at = segments.findIndex(isImpossible);
    const reason = 'the service accepted an invalid request';
    if (at === -1) this.#keep(path, this.#shownId(answer), reason);
    else this.#keep(segments.slice(0, at).join('/'), segments[at], reason);
  }

  #trackCreation(path: string, answer: Answer): void {
    const { status } = answer;
    if (status >= 500) this.#keep(path, undefined, `the creation got a ${status}, and may have succeeded`);
    if (okOf(answer) === undefined) return;
    const id = this.#shownId(answer);
    if (id !== undefined && id === createdId(answer)) this.#customers.add(id);
    else if (id === undefined) this.#keep(path, id, 'the answer to the creation has no id that can be shown');
    else this.#keep(path, id, 'the answer to the creation does not repeat what was sent');
  }

  #trackDeletion(path: string, answer: Answer): void {
    const isDeleted = okOf(answer) !== undefined && fieldOf(customerIn(answer), 'deleted') !== false;
    this.#endDeletion(path, isDeleted ? undefined : `its deletion got a ${answer.status}`);
  }

  #endDeletion(path: string, failure: string | undefined): void {
    const [collection, id] = [path.slice(0, path.lastIndexOf('/')), path.slice(path.lastIndexOf('/') + 1)];
    this.#customers.delete(id);
    if (failure !== undefined) this.#keep(collection, id, failure);
  }

  #trackLost(question: Question, failure: string): void {
    if (question.kind !== 'write' || question.expires) return;
    if (question.method === 'DELETE') this.#endDeletion(question.path, `its deletion ended with ${failure}`);
    else this.#keep(question.path, undefined, `the creation ended with ${failure}, and may have succeeded`);
  }

  #keep(path: string, id: string | undefined, reason: string): void {
    this.#leftovers.set(`${path}/${id ?? ''}`, { path, id, reason });
  }

  #shownId(answer: Answer): string | undefined {
    const id = fieldOf(customerIn(answer), 'id');
    return typeof id === 'string' && isPlain(id) && !this.#holdsKey(id) ? id : undefined;
  }
}
