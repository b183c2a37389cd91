import type { Answer } from './exchange.ts';
import { Problem } from './problem.ts';
import type { Reply } from './reply.ts';

/** What tells one request from another. */
export interface Fingerprint {
  /** Whose key it is: keys of different secret keys have nothing to do with one another. */
  readonly scope: string;
  /** The idempotency key. */
  readonly key: string;
  /** The method and the path, with the ids in it. */
  readonly endpoint: string;
  /** The body as it came, so that another order of fields is another body. */
  readonly body: string;
}

interface Entry {
  readonly endpoint: string;
  readonly body: string;
  /** `undefined` while the request is running. */
  reply: Reply | undefined;
}

const maxLength = 255;

/**
 * What was done under each idempotency key.
 *
 * A reply is kept when the request was done or refused on its merits (2xx to 4xx). A failure (5xx) leaves the key
 * free. Keys are kept as long as the sandbox, since the interface gives no time.
 */
export class IdempotencyKeys {
  readonly #entries = new Map<string, Entry>();

  /**
   * Runs a request unless it ran before.
   *
   * @throws Problem when the key is too long, is used for another request, or is in use.
   */
  async once(request: Fingerprint, run: () => Promise<Reply>): Promise<Answer> {
    checkLength(request.key);
    const name = JSON.stringify([request.scope, request.key]);
    const earlier = this.#entries.get(name);
    if (earlier !== undefined) return { reply: earlierReply(earlier, request), replayed: true };

    const entry: Entry = { endpoint: request.endpoint, body: request.body, reply: undefined };
    this.#entries.set(name, entry);
    const reply = await run();
    if (reply.status < 500) entry.reply = reply;
    else this.#entries.delete(name);
    return { reply, replayed: false };
  }
}

function checkLength(key: string): void {
  if (key.length <= maxLength) return;
  const message = `Expected an Idempotency-Key of at most ${maxLength} characters.`;
  throw new Problem(400, 'IDEMPOTENCY_KEY_TOO_LONG', message);
}

/** A request that differs is refused at once, also while the first is running: waiting could not help it. */
function earlierReply({ endpoint, body, reply }: Entry, request: Fingerprint): Reply {
  if (endpoint !== request.endpoint) {
    const message = 'This Idempotency-Key was used on another endpoint.';
    throw new Problem(422, 'IDEMPOTENCY_ROUTE_CONFLICT', message);
  }
  if (body !== request.body) {
    const message = 'This Idempotency-Key was used with another body.';
    throw new Problem(422, 'IDEMPOTENCY_BODY_MISMATCH', message);
  }
  if (reply === undefined) {
    const message = 'Another request with this Idempotency-Key is still running.';
    throw new Problem(409, 'IDEMPOTENCY_KEY_IN_PROGRESS', message);
  }
  return reply;
}
