import type { WebAbortSignal } from '../../base/runtime/runtime.ts';
import { eitherSignal } from '../../base/time.ts';
import { remove, Work } from '../../base/work.ts';
import { type CallFacts, clientClosed, closed, tooManyCalls } from '../failure/call-errors.ts';
import type { CallEvent, Observer } from './hooks.ts';

/**
 * A signal that lives as long as a client, and has what this package uses of one. Not an `AbortSignal`, whose listeners are a linked list: those that were
 * removed keep later ones from the garbage collector.
 */
class EndSignal {
  readonly #listeners: (() => void)[] = [];
  aborted = false;
  reason: unknown;

  addEventListener(_type: 'abort', listener: () => void): void {
    this.#listeners.push(listener);
  }

  removeEventListener(_type: 'abort', listener: () => void): void {
    remove(this.#listeners, listener);
  }

  abort(reason: unknown): void {
    if (this.aborted) return;
    this.aborted = true;
    this.reason = reason;
    for (const listener of this.#listeners.splice(0)) listener();
  }

  /** The same signal, for functions that take the caller's too. */
  get web(): WebAbortSignal {
    // They use what is here, and nothing else of it.
    return this as object as WebAbortSignal;
  }
}

/** What a call has while it is under way. */
export interface Pass {
  /** Ends the call: its caller's signal, or that of its client's end. */
  readonly signal: WebAbortSignal;
  readonly leave: () => void;
}

/** The calls of a client that are under way: so many at once, until it is closed. */
export class CallsUnderWay {
  readonly #max: number;
  readonly #observer: Observer;
  readonly #work = new Work<Pass>();
  readonly #end = new EndSignal();

  constructor(max: number, observer: Observer) {
    this.#max = max;
    this.#observer = observer;
  }

  /** Is aborted when the client ends. */
  get ended(): WebAbortSignal {
    return this.#end.web;
  }

  /**
   * Lets a call begin, and counts it until it leaves.
   *
   * @param own Its caller's signal.
   * @param mustPass Whether it passes even if it is one too many.
   * @throws ConnectionError when it is one too many.
   * @throws RequestAbortedError once the client is closed.
   */
  enter(call: CallFacts & CallEvent, own: WebAbortSignal | undefined, mustPass = false): Pass {
    if (this.#work.isClosed) throw closed(call);
    if (this.#work.size >= this.#max && !mustPass) {
      this.#observer.on('shed')?.({ callId: call.callId, operation: call.operation, what: 'call' });
      throw tooManyCalls(call, this.#max);
    }
    const either = own && eitherSignal(own, this.#end.web);
    const leave = () => {
      either?.release();
      this.#work.end(pass);
    };
    const pass: Pass = { signal: either?.signal ?? this.#end.web, leave };
    this.#work.begin(pass);
    return pass;
  }

  /** Lets no call begin, waits `timeout` ms for those under way, and aborts the rest. Returns how many it aborted, when all have ended. */
  async close(timeout: number): Promise<number> {
    const { length } = await this.#work.close(timeout);
    this.#end.abort(clientClosed);
    await this.#work.done();
    return length;
  }
}
