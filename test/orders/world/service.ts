import { createHash } from 'node:crypto';
import type { Fetch } from 'payments-client';
import { createSandbox, type Sandbox } from 'payments-client-sandbox';
import type { Draws } from './draws.ts';
import { Ledger, type PaymentKind } from './ledger.ts';
import type { Turns } from './turns.ts';
import type { Weather } from './weather.ts';

type Request = Parameters<Fetch>[0];

/** What kind of service it is. */
export interface ServiceForm {
  /** Whether it has only the *shown* endpoints: each GET, expire and cancel answers 404. */
  readonly hasOnlyShown: boolean;
  /** How long it remembers an idempotency key, in ms. */
  readonly keyMemory: number;
}

/** A request that the service executes after its caller has given up. */
interface LateRequest {
  readonly at: number;
  readonly execute: () => Promise<unknown>;
}

/** What a request was, read once. */
interface Sent {
  readonly method: string;
  readonly path: string;
  readonly headers: Headers;
  readonly url: string;
  readonly body: string;
  /** The order that it is made for, as far as its caller says. */
  readonly about: string | undefined;
}

/** The payment method that asks for 3-D Secure; the sandbox has none. */
export const authenticating = 'pm_card_asks_the_buyer';

const epoch = Date.UTC(2026, 0, 1);

const inferred = /^GET |\/(expire|cancel)$/;
const kinds: Readonly<Record<string, PaymentKind>> = {
  '/v1/checkout/sessions': 'page',
  '/v1/payment_intents': 'intent',
};

function reply(status: number, code: string): Response {
  return Response.json({ error: { code, message: `The answer of the simulation: ${code}.` } }, { status });
}

/** The payment service: a sandbox behind a network that fails. */
export class Service {
  readonly sandbox: Sandbox;
  readonly ledger: Ledger;
  readonly form: ServiceForm;
  weather: Weather;
  /** How often each fault happened. */
  readonly faults = new Map<string, number>();
  /** How many requests it got. */
  requests = 0;
  readonly #draws: Draws;
  readonly #turns: Turns;
  readonly #past = new Map<string, object[]>();
  readonly #keys = new Map<string, { readonly since: number; readonly generation: number }>();
  #late: LateRequest[] = [];

  constructor(seed: number, form: ServiceForm, draws: Draws, turns: Turns, weather: Weather) {
    this.form = form;
    this.weather = weather;
    this.#draws = draws;
    this.#turns = turns;
    this.sandbox = createSandbox({
      seed,
      startsAt: epoch,
      refunds: 'manual',
      expiredSessions: draws.chance(0.5) ? 'payable' : 'closed',
      webhooks: [],
    });
    this.ledger = new Ledger(this.sandbox);
    this.sandbox.watch((activity) => {
      if (activity.kind !== 'event') return;
      const { object } = activity.event.data;
      const id: unknown = Reflect.get(object, 'id');
      if (typeof id === 'string') this.#past.set(id, [...(this.#past.get(id) ?? []), object]);
    });
  }

  get now(): number {
    return this.sandbox.clock.now();
  }

  /** Counts a fault. */
  met(fault: string): void {
    this.faults.set(fault, (this.faults.get(fault) ?? 0) + 1);
  }

  /** Draws whether a fault happens. */
  has(fault: keyof Weather): boolean {
    if (!this.#draws.chance(this.weather[fault])) return false;
    this.met(fault);
    return true;
  }

  /** Moves the time, and executes the requests that arrive on the way. */
  async advance(ms: number): Promise<void> {
    const until = this.now + ms;
    const due = this.#late.filter(({ at }) => at <= until).sort((one, other) => one.at - other.at);
    this.#late = this.#late.filter(({ at }) => at > until);
    for (const { at, execute } of due) {
      await this.sandbox.clock.advance(Math.max(0, at - this.now));
      await execute();
    }
    await this.sandbox.clock.advance(until - this.now);
  }

  /** The service as the processes reach it. */
  readonly fetch: Fetch = async (request) => {
    const path = new URL(request.url).pathname;
    const name = `${request.method} ${path}`;
    await this.#turns.gate(`sends ${name}`);
    if (this.has('refused')) throw refusedConnection();
    const sent = await this.#read(request, path);
    this.requests += 1;
    const response = await this.#answer(sent, name);
    await this.#turns.gate(`gets ${response instanceof Error ? 'nothing' : response.status}`);
    if (response instanceof Error) throw response;
    return response;
  };

  async #read(request: Request, path: string): Promise<Sent> {
    const { method, url } = request;
    const body = await request.text();
    return {
      method,
      path,
      url,
      body,
      headers: new Headers(request.headers),
      about: this.#turns.current?.about,
    };
  }

  async #answer(sent: Sent, name: string): Promise<Response | Error> {
    if (this.form.hasOnlyShown && inferred.test(name)) return reply(404, 'ROUTE_NOT_FOUND');
    if (this.has('lostRequest')) return new TypeError('the request was lost');
    if (this.has('lateRequest')) {
      const at = this.now + this.#draws.below(120_000);
      this.#late.push({ at, execute: () => this.#execute(sent, name) });
      return new TypeError('the request is late');
    }
    if (this.has('serverError')) {
      const status = this.#draws.pick([500, 502, 503]);
      if (this.#draws.chance(0.5)) await this.#execute(sent, name);
      return reply(status, 'SERVICE_UNAVAILABLE');
    }
    const response = await this.#execute(sent, name);
    return this.has('lostReply') ? new TypeError('the reply was lost') : response;
  }

  async #execute(sent: Sent, name: string): Promise<Response> {
    const { method, path, url, body } = sent;
    const old = method === 'GET' && this.has('staleRead') ? this.#earlier(path) : undefined;
    if (old !== undefined) return Response.json(old);
    const asked = this.#asksBuyer(sent);
    if (asked !== undefined) return asked;
    const headers = this.#withKey(sent.headers);
    const response = await this.sandbox.fetch(
      new Request(url, { method, headers, ...(method !== 'GET' && { body }) }),
    );
    const text = await response.text();
    this.#note(sent, text);
    if (response.status >= 400) this.met(`${response.status} ${name.replaceAll(/[a-z]{2}_\w+/g, '{id}')}`);
    return new Response(text, { status: response.status, headers: response.headers });
  }

  /** Notes whose payment was made. The answer to a void names a payment that is noted already. */
  #note({ path, headers, about }: Sent, text: string): void {
    const made = this.ledger.ownerOfKey(headers.get('idempotency-key'), about);
    const id = path.endsWith('.php')
      ? new URLSearchParams(text).get('transactionid')
      : (/"id":\s*"((?:cs|pi)_\w+)"/.exec(text)?.[1] ?? null);
    const kind = path.endsWith('.php') ? this.#saleOf(id) : kinds[path];
    if (kind === undefined || id === null) return;
    const owner = made ?? this.ledger.ownerOf(id);
    if (owner === undefined) throw new Error(`The simulation does not know for whom ${id} was made.`);
    this.ledger.note(owner, kind, id);
  }

  #saleOf(id: string | null): PaymentKind | undefined {
    const made = this.sandbox.transactions.find((one) => one.id === id);
    return made !== undefined && made.refundOf === null ? 'sale' : undefined;
  }

  /** Returns an earlier state of the object that a path names. */
  #earlier(path: string): object | undefined {
    const id = path.split('/').at(-1) ?? '';
    return this.#draws.pickAny(this.#past.get(id) ?? []);
  }

  /** A key that was forgotten counts as a new one. */
  #withKey(sent: Headers): Headers {
    const headers = new Headers(sent);
    const key = headers.get('idempotency-key');
    if (key === null) return headers;
    const known = this.#keys.get(key);
    const isForgotten = known !== undefined && this.now - known.since > this.form.keyMemory;
    const present =
      known === undefined || isForgotten
        ? { since: this.now, generation: (known?.generation ?? -1) + 1 }
        : known;
    this.#keys.set(key, present);
    if (present.generation > 0) headers.set('idempotency-key', digest(`${key} ${present.generation}`));
    return headers;
  }

  /** Confirms an intent with a card that asks for 3-D Secure. */
  #asksBuyer({ method, path, body }: Sent): Response | undefined {
    const [, id] = /^\/v1\/payment_intents\/(\w+)\/confirm$/.exec(path) ?? [];
    if (method !== 'POST' || id === undefined || !body.includes(authenticating)) return undefined;
    const intent = this.sandbox.get('payment_intent', id);
    if (intent?.status !== 'requires_payment_method') return undefined;
    this.sandbox.trigger('payment_intent.requires_action', { id: intent.id });
    this.met('3-D Secure');
    return Response.json(this.sandbox.get('payment_intent', id));
  }
}

const digest = (text: string) => createHash('sha256').update(text).digest('hex');

/** An error of Node: provably nothing was sent. */
function refusedConnection(): Error {
  const cause = Object.assign(new Error('connect ECONNREFUSED'), {
    code: 'ECONNREFUSED',
    syscall: 'connect',
  });
  return new TypeError('fetch failed', { cause });
}
