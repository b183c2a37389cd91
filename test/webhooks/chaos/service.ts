/** The service: it delivers each event until a receiver acknowledges it, or until it gives up. */

import { setTimeout as wait } from 'node:timers/promises';
import { type DeliveryReply, Webhooks } from 'payments-client/webhooks';
import { type Draw, pick } from '../../support/draws.ts';
import type { Crew, Life } from './crew.ts';
import { isReadable, isUnreadable, type PlannedEvent, secrets } from './plan.ts';

/** The answer to one request. */
export interface Answer {
  readonly event: PlannedEvent;
  readonly life: Life;
  /** The status and the outcome; `undefined` without a response. */
  readonly what: string | undefined;
}

const signers = {
  platform: new Webhooks({ secret: secrets.platform }),
  connected: new Webhooks({ secret: secrets.connected }),
  forger: new Webhooks({ secret: 'whsec_Zm9yZ2VkIGZvcmdlZCBmb3JnZWQgZm9yZ2Vk' }),
};

const concurrency = 64;
/** The service's timeout, in ms: shorter than a stall. */
const patience = 1200;
/** More than any event needs: limits a receiver that never acknowledges. */
const maxTries = 100;

/** Delivers events, and records each answer. */
export class Service {
  readonly answers: Answer[] = [];
  /** Events that it gave up without an acknowledgement. */
  readonly given: PlannedEvent[] = [];
  readonly #crew: Crew;
  readonly #draw: Draw;

  constructor(crew: Crew, draw: Draw) {
    this.#crew = crew;
    this.#draw = draw;
  }

  /** Delivers all events concurrently. Calls `onDone` after each finished delivery. */
  async deliverAll(queue: readonly PlannedEvent[], onDone: (done: number) => void = () => {}): Promise<void> {
    const rest = [...queue];
    let done = 0;
    const lane = async () => {
      for (let event = rest.pop(); event !== undefined; event = rest.pop()) {
        await this.#deliver(event);
        done += 1;
        onDone(done);
      }
    };
    await Promise.all(Array.from({ length: concurrency }, lane));
  }

  /** Delivers an event, one attempt at a time, to one process or to two. */
  async #deliver(event: PlannedEvent): Promise<void> {
    for (let tries = 1; tries <= maxTries; tries += 1) {
      const lives = [...this.#crew.running.values()];
      const one = pick(this.#draw, lives);
      const others = this.#draw(8) === 0 ? lives.filter((life) => life !== one).slice(0, 1) : [];
      const answers = await Promise.all([one, ...others].map((life) => this.#send(event, life)));
      if (answers.some((what) => isEnd(event, tries, what))) return;
      await wait(Math.min(400, 25 * 2 ** tries));
    }
    this.given.push(event);
  }

  async #send(event: PlannedEvent, life: Life): Promise<string | undefined> {
    const what = await this.#answerOf(event, life);
    this.answers.push({ event, life, what });
    return what;
  }

  async #answerOf({ kind, scope, mode, body }: PlannedEvent, life: Life): Promise<string | undefined> {
    const signer = signers[kind === 'forged' ? 'forger' : scope];
    const headers = { 'content-type': 'application/json', ...(await signer.sign(body)) };
    life.inFlight += 1;
    try {
      const signal = AbortSignal.timeout(patience);
      const response = await fetch(`${life.url}/${mode}`, { method: 'POST', body, headers, signal });
      const { outcome }: Pick<DeliveryReply, 'outcome'> = JSON.parse(await response.text());
      return `${response.status} ${outcome}`;
    } catch {
      life.broken += 1;
      return undefined;
    } finally {
      life.inFlight -= 1;
    }
  }
}

/** Whether the service stops here. It would redeliver an unreadable event for days. */
function isEnd(event: PlannedEvent, tries: number, what = ''): boolean {
  if (isUnreadable(event)) return what === '500 unreadable';
  if (event.trouble === 'poison' && isReadable(event) && tries >= 4) return what !== '';
  return what.startsWith('200 ') || what === '400 refused';
}
