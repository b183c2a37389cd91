import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { Problem } from '../../domain/problem.ts';
import type { RememberedReply, Reply } from '../../domain/records/reply.ts';
import type { State } from '../../domain/state.ts';
import type { Answer } from '../exchange.ts';

/** What tells one request from another. */
export interface Fingerprint {
  /** The idempotency key. */
  readonly key: string;
  /** The method and the path, with the ids in it. */
  readonly endpoint: string;
  /** The body as it came, so that another order of fields is another body. */
  readonly body: string;
}

type Running = Omit<RememberedReply, 'reply'>;

/** Keeps the reply of a request, within the unit of work that it is the reply of. */
export type Remember = (reply: Reply) => void;

const maxLength = 255;

/**
 * What was done under each idempotency key.
 *
 * A reply is kept when the request was done or refused on its merits (2xx to 4xx). A failure (5xx) leaves the key
 * free. Keys are kept as long as the sandbox, since the interface gives no time.
 */
export class IdempotencyKeys {
  readonly #state: State;
  readonly #running = new Map<string, Running>();

  constructor(state: State) {
    this.#state = state;
  }

  /**
   * Runs a request unless it ran before.
   *
   * @throws Problem when the key is too long, is used for another request, or is in use.
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
  return bytesToHex(sha256(utf8ToBytes(body)));
}

/** A request that differs is refused at once, also while the first is running: waiting could not help it. */
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
