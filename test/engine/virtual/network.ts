import type { Fetch } from 'payments-client';
import {
  type NetworkFault,
  networkFaultOf,
  networkFaults,
  type Reply,
  replyThrough,
} from '../dimensions/network.ts';
import { keyOf } from '../merchants.ts';
import type { Actor, Surroundings } from './actor.ts';
import type { Service } from './service.ts';

type Sent = Parameters<Fetch>[0];

/** What the network tells of a request. */
export interface Observer {
  sent(actor: Actor, request: Sent, body: string): void;
  arrived(request: Sent, body: string): void;
  succeeded(request: Sent, body: string): void;
}

/** The longest transit time of a request, in ms. */
const longestWay = 600_000;

const names = Object.keys(networkFaults);

/** Returns the error of Node's `fetch`. */
function networkError(answer: NetworkFault['answer']): TypeError {
  const [code, syscall] = answer === 'refused' ? ['ECONNREFUSED', 'connect'] : ['ECONNRESET', 'read'];
  return new TypeError('fetch failed', { cause: Object.assign(new Error(code), { code, syscall }) });
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

/** The network between the clients and the service. */
export class Network {
  readonly #world: Surroundings;
  readonly #service: Service;
  readonly #observer: Observer;
  /** How many requests are in transit or in progress. */
  #underWay = 0;

  constructor(world: Surroundings, service: Service, observer: Observer) {
    this.#world = world;
    this.#service = service;
    this.#observer = observer;
  }

  /** Whether no request can still have an effect. */
  get isQuiet(): boolean {
    return this.#underWay === 0;
  }

  /** Sends a request of an actor. */
  async send(actor: Actor, request: Sent): Promise<Response> {
    const body = await request.text();
    actor.isSending = true;
    try {
      await actor.step('sends');
      if (isWrite(request)) this.#observer.sent(actor, request, body);
      return await this.#exchange(actor, request, body);
    } finally {
      actor.isSending = false;
    }
  }

  #exchange(actor: Actor, request: Sent, body: string): Promise<Response> {
    const step = actor.next('is answered');
    const planned = actor.faultAt('network', names);
    const fault = networkFaultOf(planned?.fault, keyOf(request.headers) !== undefined);
    const { copies = 1, delay, answer = 'reply' } = fault;
    const wait = actor.wait<Response>();
    const { scheduler } = this.#world;
    const time = (name: string, most = 50) => 1 + this.#world.time(`${step} ${name}`, most);
    const work = delay === 'slow' ? 1 + (planned?.size ?? 0) * 5 : 0;
    const { method, headers } = request;
    const sent = { method, path: new URL(request.url).pathname, headers, body, work };
    const deliver = (reply: Reply) => {
      scheduler.after(time('back'), () => {
        if (answer === 'refused' || answer === 'reset') wait.reject(networkError(answer));
        else if (answer !== 'silence') wait.resolve(this.#respond(request, body, fault, reply));
      });
    };
    for (let copy = 0; copy < copies; copy += 1) {
      this.#underWay += 1;
      const isLate = delay === 'late' || copy === 1;
      const way = isLate ? 1 + ((planned?.size ?? 0) * longestWay) / 1000 : time('way');
      scheduler.after(way, () => {
        if (isWrite(request)) this.#observer.arrived(request, body);
        this.#service.handle(sent, (reply) => {
          this.#underWay -= 1;
          if (copy === 0) deliver(reply);
        });
      });
    }
    if (copies === 0) deliver({ status: 502, headers: {}, body: '' });
    if (answer === 'silence') scheduler.after(5_000, () => wait.reject(networkError(answer)));
    return wait.promise;
  }

  #respond(request: Sent, body: string, fault: NetworkFault, given: Reply): Response {
    const credential = request.headers.get('authorization') ?? '';
    const { status, headers, body: text } = replyThrough(fault, given, { credential, body });
    const isJson = headers['content-type']?.includes('json') === true && text.length > 1;
    const isCut = fault.answer === 'cut' || fault.answer === 'half';
    if (isWrite(request) && status < 300 && isJson && (isCut || isObject(text)))
      this.#observer.succeeded(request, body);
    return new Response(isCut ? cutBody(text) : text, { status, headers });
  }
}

/** What is retrieved moves nothing. */
const isWrite = ({ method }: Pick<Sent, 'method'>) => method !== 'GET';

function isObject(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
