import { sha256Hex } from '../../base/hash.ts';
import { Problem } from '../../domain/problem.ts';
import type { RememberedReply, Reply } from '../../domain/records/records.ts';
import type { State } from '../../domain/state.ts';
import type { Answer } from '../exchange.ts';

interface Fingerprint {
  readonly key: string;
  /** The method and the path, ids included. */
  readonly endpoint: string;
  /** The raw body: another order of fields is another body. */
  readonly body: string;
}

type Running = Omit<RememberedReply, 'reply'>;

/** Stores the reply of a request within its unit of work. */
export type Remember = (reply: Reply) => void;

const maxLength = 255;

/**
 * Stores the reply of each idempotency key.
 *
 * A reply is stored when the request was executed or rejected (2xx to 4xx). A failure (5xx) leaves the key free. Keys
 * never expire, since the interface names no time.
 */
export class IdempotencyKeys {
  readonly #state: State;
  readonly #running = new Map<string, Running>();

  constructor(state: State) {
    this.#state = state;
  }

  /**
   * Runs a request, or replays its stored reply.
   *
   * @throws Problem when the key is too long, was used for another request, or is in use.
   */
  async once(request: Fingerprint, run: (remember: Remember) => Promise<Reply>): Promise<Answer> {
    checkLength(request.key);
    const id = request.key;
    const own = { id, endpoint: request.endpoint, bodyDigest: digestOf(request.body) };
    const earlier = this.#state.objects.reply.get(id);
    if (earlier !== undefined) {
      requireSame(earlier, own);
      return { reply: earlier.reply, replayed: true };
    }
    const running = this.#running.get(id);
    if (running !== undefined) {
      requireSame(running, own);
      throw inProgress();
    }
    this.#running.set(id, own);
    try {
      const reply = await run((reply) => {
        if (reply.status < 500) this.#state.objects.reply.add({ ...own, reply });
      });
      return { reply, replayed: false };
    } finally {
      this.#running.delete(id);
    }
  }
}

function checkLength(key: string): void {
  if (key.length <= maxLength) return;
  const message = `Expected an Idempotency-Key of at most ${maxLength} characters.`;
  throw new Problem(400, 'IDEMPOTENCY_KEY_TOO_LONG', message);
}

function digestOf(body: string): string {
  return sha256Hex(body);
}

/**
 * Rejects a different request with the same key at once, also while the first one is running: waiting would not help.
 */
function requireSame(earlier: Running, own: Running): void {
  if (earlier.endpoint !== own.endpoint) {
    const message = 'This Idempotency-Key was used on another endpoint.';
    throw new Problem(422, 'IDEMPOTENCY_ROUTE_CONFLICT', message);
  }
  if (earlier.bodyDigest !== own.bodyDigest) {
    const message = 'This Idempotency-Key was used with another body.';
    throw new Problem(422, 'IDEMPOTENCY_BODY_MISMATCH', message);
  }
}

function inProgress(): Problem {
  const message = 'Another request with this Idempotency-Key is still running.';
  return new Problem(409, 'IDEMPOTENCY_KEY_IN_PROGRESS', message);
}
