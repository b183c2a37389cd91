import type { WebAbortSignal } from '../../base/runtime/runtime.ts';
import { eitherSignal } from '../../base/time.ts';
import { Work } from '../../base/work.ts';
import { type CallFacts, clientClosed, closed, tooManyCalls } from '../failure/call-errors.ts';
import type { CallEvent, Observer } from './hooks.ts';

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
  readonly #end = new AbortController();

  constructor(max: number, observer: Observer) {
    this.#max = max;
    this.#observer = observer;
  }

  /** Is aborted when the client ends. */
  get ended(): WebAbortSignal {
    return this.#end.signal;
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
    const either = own && eitherSignal(own, this.#end.signal);
    const leave = () => {
      either?.release();
      this.#work.end(pass);
    };
    const pass: Pass = { signal: either?.signal ?? this.#end.signal, leave };
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
