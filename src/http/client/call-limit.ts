import { type CallFacts, tooManyCalls } from '../failure/call-errors.ts';
import type { CallEvent, Observer } from './hooks.ts';

/** Bounds how many calls of a client are under way at once. */
export class CallLimit {
  readonly #max: number;
  readonly #observer: Observer;
  #underWay = 0;

  constructor(max: number, observer: Observer) {
    this.#max = max;
    this.#observer = observer;
  }

  /**
   * Counts a call until it leaves.
   *
   * @param mustPass Whether it passes even if it is one too many.
   * @throws ConnectionError when it is one too many. Then it is not counted.
   */
  enter(call: CallFacts & CallEvent, mustPass = false): void {
    if (this.#underWay >= this.#max && !mustPass) {
      this.#observer.on('shed')?.({ callId: call.callId, operation: call.operation, what: 'call' });
      throw tooManyCalls(call, this.#max);
    }
    this.#underWay += 1;
  }

  leave(): void {
    this.#underWay -= 1;
  }
}
