import type { Fetch } from 'payments-client';
import type { Actor } from './actor.ts';
import type { Choices } from './choices.ts';
import type { Scheduler, Wait } from './scheduler.ts';
import type { Reply, Service } from './service.ts';

/** The faults of a network or a proxy for one request. */
const faults = [
  'unreachable',
  'lost',
  'unanswered',
  'late',
  'twice',
  'slow',
  'cut',
  'odd',
  'page before',
  'page after',
  'failure before',
  'failure after',
  'conflict after',
  'limited',
  'store down',
  'conflict before',
] as const;
type Fault = (typeof faults)[number];

/** Faults that keep the request from the service. */
const undelivered: ReadonlySet<Fault | undefined> = new Set<Fault>([
  'unreachable',
  'lost',
  'page before',
  'failure before',
  'limited',
  'store down',
  'conflict before',
]);

/**
 * Replaces some faults for a request without a key. No client could distinguish them from a rejection (that a 4xx
 * proves one is inferred), or prevent a proxy from sending a sale twice.
 */
const withoutKey: Partial<Record<Fault, Fault>> = { 'conflict after': 'failure after', twice: 'unanswered' };

const again = { 'retry-after': '0' };
const page: Reply = { status: 200, headers: { 'content-type': 'text/html' }, body: '<h1>Welcome</h1>' };
const failure: Reply = {
  status: 502,
  headers: { 'content-type': 'text/html', ...again },
  body: 'Bad gateway',
};
const conflict: Reply = { status: 409, headers: { 'content-type': 'text/plain' }, body: 'Conflict' };
const json = { 'content-type': 'application/json' };

/** The responses that replace the service's. */
const replacements: Partial<Record<Fault, Reply>> = {
  'page before': page,
  'page after': page,
  'failure before': failure,
  'failure after': failure,
  'conflict before': conflict,
  'conflict after': conflict,
  limited: { status: 429, headers: again, body: '' },
  'store down': {
    status: 503,
    headers: { ...json, ...again },
    body: '{"error":{"code":"IDEMPOTENCY_STORE_UNAVAILABLE"}}',
  },
};

/** The longest transit time of a request, in ms. */
const longestWay = 600_000;

/** Returns the error of Node's `fetch`. */
function networkError(fault: Fault): TypeError {
  const cause =
    fault === 'unreachable'
      ? { code: 'ECONNREFUSED', syscall: 'connect' }
      : { code: 'ECONNRESET', syscall: 'read' };
  return new TypeError('fetch failed', { cause: Object.assign(new Error(cause.code), cause) });
}

/** Returns a body that ends early. */
function cutBody(body: string): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode(body.slice(0, body.length / 2)));
      controller.error(networkError('cut'));
    },
  });
}

function responseOf({ status, headers, body }: Reply, fault: Fault | undefined): Response {
  if (fault === 'cut') return new Response(cutBody(body), { status, headers });
  const isOdd = fault === 'odd' && status < 300;
  return new Response(isOdd ? '{"odd":true}' : body, { status, headers });
}

/** The network between the clients and the service. */
export class Network {
  readonly #scheduler: Scheduler;
  readonly #choices: Choices;
  readonly #service: Service;
  /** How many requests are in transit or in progress. */
  #underWay = 0;

  constructor(scheduler: Scheduler, choices: Choices, service: Service) {
    this.#scheduler = scheduler;
    this.#choices = choices;
    this.#service = service;
  }

  /** Whether no request can still have an effect. */
  get isQuiet(): boolean {
    return this.#underWay === 0;
  }

  /** Sends a request of an actor. */
  async send(actor: Actor, request: Parameters<Fetch>[0]): Promise<Response> {
    const body = await request.text();
    actor.isSending = true;
    try {
      await actor.step('sends');
      return await this.#exchange(actor, request, body);
    } finally {
      actor.isSending = false;
    }
  }

  #exchange(actor: Actor, request: Parameters<Fetch>[0], body: string): Promise<Response> {
    const step = actor.next('is answered');
    const drawn = actor.faultOf(step, faults, 2);
    const isKeyed = request.headers.get('idempotency-key') !== null;
    const fault = drawn !== undefined && !isKeyed ? (withoutKey[drawn] ?? drawn) : drawn;
    const wait = actor.wait<Response>();
    const delay = (name: string, most = 50) => 1 + this.#choices.draw(`${step} ${name}`, most);
    const sent = {
      path: new URL(request.url).pathname,
      headers: request.headers,
      body,
      work: fault === 'slow' ? delay('work', 5_000) : 0,
    };
    const copies = undelivered.has(fault) ? 0 : fault === 'twice' ? 2 : 1;
    for (let copy = 0; copy < copies; copy += 1) {
      this.#underWay += 1;
      const isLate = fault === 'late' || copy === 1;
      this.#scheduler.after(delay(`way ${copy}`, isLate ? longestWay : undefined), () =>
        this.#service.handle(sent, (reply) => {
          this.#underWay -= 1;
          if (copy === 0) this.#answer({ wait, fault, reply, delay: delay('back') });
        }),
      );
    }
    if (copies === 0) this.#answer({ wait, fault, reply: page, delay: delay('back') });
    if (fault === 'late') this.#scheduler.after(5_000, () => wait.reject(networkError(fault)));
    return wait.promise;
  }

  #answer({ wait, fault, reply, delay }: Answering): void {
    this.#scheduler.after(delay, () => {
      if (fault === 'unreachable' || fault === 'lost' || fault === 'unanswered') {
        wait.reject(networkError(fault));
      } else wait.resolve(responseOf((fault && replacements[fault]) ?? reply, fault));
    });
  }
}

interface Answering {
  readonly wait: Wait<Response>;
  readonly fault: Fault | undefined;
  readonly reply: Reply;
  readonly delay: number;
}
