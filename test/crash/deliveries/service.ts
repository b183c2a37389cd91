/** The service: it delivers each event until a receiver acknowledges it, or until it gives up. */

import { setTimeout as wait } from 'node:timers/promises';
import { type DeliveryReport, Webhooks } from 'payments-client/webhooks';
import { type Draw, pick } from '../../support/draws.ts';
import { isUnreadable, type PlannedEvent, secrets } from './plan.ts';
import type { Lifetime, ProcessPool } from './process-pool.ts';

/** The response to one request. */
export interface DeliveryResponse {
  readonly event: PlannedEvent;
  readonly lifetime: Lifetime;
  /** The status and the outcome; `undefined` without a response. */
  readonly what: string | undefined;
}

const signers = {
  platform: new Webhooks({ secret: secrets.platform }),
  connected: new Webhooks({ secret: secrets.connected }),
  forger: new Webhooks({ secret: 'whsec_Zm9yZ2VkIGZvcmdlZCBmb3JnZWQgZm9yZ2Vk' }),
};

const concurrency = 64;
/** The timeout of the service, in ms: shorter than a stall. */
const serviceTimeout = 1200;
/** More attempts than any event needs. It limits a receiver that never acknowledges. */
const maxAttempts = 100;

/** Delivers events, and records each response. */
export class Service {
  readonly responses: DeliveryResponse[] = [];
  /** Events that it stopped delivering without an acknowledgement. */
  readonly abandoned: PlannedEvent[] = [];
  readonly #pool: ProcessPool;
  readonly #draw: Draw;

  constructor(pool: ProcessPool, draw: Draw) {
    this.#pool = pool;
    this.#draw = draw;
  }

  /** Delivers all events concurrently. Calls `onDone` after each finished delivery. */
  async deliverAll(queue: readonly PlannedEvent[], onDone: (done: number) => void = () => {}): Promise<void> {
    const queued = [...queue];
    let done = 0;
    const deliverNext = async () => {
      for (let event = queued.pop(); event !== undefined; event = queued.pop()) {
        await this.#deliver(event);
        done += 1;
        onDone(done);
      }
    };
    await Promise.all(Array.from({ length: concurrency }, deliverNext));
  }

  /** Delivers an event, one attempt at a time, to one process or to two. */
  async #deliver(event: PlannedEvent): Promise<void> {
    for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
      const running = [...this.#pool.running.values()];
      const one = pick(this.#draw, running);
      const others = this.#draw(8) === 0 ? running.filter((lifetime) => lifetime !== one).slice(0, 1) : [];
      const responses = await Promise.all([one, ...others].map((lifetime) => this.#send(event, lifetime)));
      if (responses.some((what) => isLastAttempt(event, what))) return;
      await wait(Math.min(400, 25 * 2 ** attempt));
    }
    this.abandoned.push(event);
  }

  async #send(event: PlannedEvent, lifetime: Lifetime): Promise<string | undefined> {
    const what = await this.#responseOf(event, lifetime);
    this.responses.push({ event, lifetime, what });
    return what;
  }

  async #responseOf(
    { kind, scope, mode, body }: PlannedEvent,
    lifetime: Lifetime,
  ): Promise<string | undefined> {
    const signer = signers[kind === 'forged' ? 'forger' : scope];
    const headers = { 'content-type': 'application/json', ...(await signer.sign(body)) };
    lifetime.inFlight += 1;
    try {
      const signal = AbortSignal.timeout(serviceTimeout);
      const response = await fetch(`${lifetime.url}/${mode}`, { method: 'POST', body, headers, signal });
      const { outcome }: Pick<DeliveryReport, 'outcome'> = JSON.parse(await response.text());
      return `${response.status} ${outcome}`;
    } catch {
      lifetime.broken += 1;
      return undefined;
    } finally {
      lifetime.inFlight -= 1;
    }
  }
}

/** Whether the service stops after this attempt. It would redeliver an unreadable event for days. */
function isLastAttempt(event: PlannedEvent, what = ''): boolean {
  if (isUnreadable(event)) return what === '500 failed';
  return what.startsWith('200 ') || what === '400 refused';
}
