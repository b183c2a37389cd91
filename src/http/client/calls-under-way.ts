import type { WebAbortSignal } from '../../base/runtime/runtime.ts';
import { eitherSignal } from '../../base/time.ts';
import { Work } from '../../base/work.ts';

/** Why the signal of a call is aborted whose client was closed. */
export const clientClosed = /* @__PURE__ */ new Error('the client was closed');

/** What a call has while it is under way. */
export interface Pass {
  /** Ends the call: its caller's, or that of its client's end. */
  readonly signal: WebAbortSignal;
  readonly leave: () => void;
}

/** The calls of a client that are under way, so that it can be closed when they have ended. */
export class CallsUnderWay {
  readonly #work = new Work<Pass>();
  readonly #end = new AbortController();

  /** Lets a call begin; returns `undefined` once the client is closed. */
  enter(own: WebAbortSignal | undefined): Pass | undefined {
    const either = own && eitherSignal(own, this.#end.signal);
    const leave = () => {
      either?.release();
      this.#work.end(pass);
    };
    const pass: Pass = { signal: either?.signal ?? this.#end.signal, leave };
    if (this.#work.begin(pass)) return pass;
    either?.release();
    return undefined;
  }

  /** Lets no call begin, waits `timeout` ms for those under way, and aborts the rest. Returns how many it aborted, when all have ended. */
  async close(timeout: number): Promise<number> {
    const { length } = await this.#work.close(timeout);
    this.#end.abort(clientClosed);
    await this.#work.done();
    return length;
  }
}
