import type { Sandbox } from 'payments-client-sandbox';
import { paymentIntent, refund } from '../../support/fixtures.ts';
import type { Money } from '../dimensions/currencies.ts';
import type { Reply } from '../dimensions/network.ts';
import { keyOf, merchantIds, merchantIn, moneyIn, nameOf, orderIn } from '../merchants.ts';
import type { Scheduler } from './time.ts';

/** A request, as the service reads it. */
interface Asked {
  readonly method: string;
  readonly path: string;
  readonly headers: Headers;
  readonly body: string;
}

export interface ServiceRequest extends Asked {
  /** How long the service works on it, in ms. */
  readonly work: number;
}

/** A movement of money. */
export interface Effect {
  /** The merchant's order. */
  readonly order: string;
  /** The call whose request caused it; `null` if the request does not say. */
  readonly call: string | null;
  readonly money: Money;
  readonly isKeyed: boolean;
}

/** The service behind the network. */
export interface Service {
  handle(request: ServiceRequest, answer: (reply: Reply) => void): void;
  /** Gives the object of an order another status, and returns it; `undefined` if it cannot. */
  change(order: string): string | undefined;
}

/** Receives the effects of the service. */
export type OnEffect = (effect: Effect) => void;

/** Returns the currency of a payment that is refunded. */
export type CurrencyOf = (order: string) => Money['currency'];

const formPath = '/api/transact.php';
const refundPath = '/v1/refunds';
const jsonType = { 'content-type': 'application/json' };

function problem(status: number, code: string): Reply {
  return { status, headers: jsonType, body: JSON.stringify({ error: { code, message: code } }) };
}

function effectOf({ path, headers, body }: Asked, currencyOf: CurrencyOf): Effect {
  const order = orderIn(path, headers, body);
  const money = moneyIn(path, body);
  return {
    order,
    call: headers.get('x-call'),
    money: { amount: money.amount, currency: money.currency ?? currencyOf(order) },
    isKeyed: keyOf(headers) !== undefined,
  };
}

interface Remembered {
  readonly body: string;
  readonly at: number;
  /** `undefined` while the service works on it. */
  reply: Reply | undefined;
}

interface StoredObject {
  readonly order: string;
  readonly object: object;
  status: string;
}

function repeated({ body, reply }: Remembered, now: string): Reply {
  if (body !== now) return problem(422, 'IDEMPOTENCY_BODY_MISMATCH');
  if (reply === undefined) return problem(409, 'IDEMPOTENCY_KEY_IN_PROGRESS');
  return { ...reply, headers: { ...reply.headers, 'idempotent-replayed': 'true' } };
}

/**
 * A small model of the service, many times faster than the sandbox: three requests that move money, and the rules of
 * idempotency keys. `service.test.ts` compares it with the sandbox.
 */
export class ModelService implements Service {
  readonly #scheduler: Scheduler;
  readonly #keyMemory: number;
  readonly #currencyOf: CurrencyOf;
  readonly #onEffect: OnEffect;
  readonly #keys = new Map<string, Remembered>();
  readonly #objects = new Map<string, StoredObject>();
  #count = 0;
  #changes = 0;

  /** @param keyMemory How long a key is remembered, in ms. */
  constructor(scheduler: Scheduler, keyMemory: number, currencyOf: CurrencyOf, onEffect: OnEffect) {
    this.#scheduler = scheduler;
    this.#keyMemory = keyMemory;
    this.#currencyOf = currencyOf;
    this.#onEffect = onEffect;
  }

  handle(request: ServiceRequest, answer: (reply: Reply) => void): void {
    if (request.method === 'GET') this.#later(request, () => answer(this.#retrieve(request.path)));
    else if (request.path === formPath) this.#later(request, () => answer(this.#sell(request)));
    else this.#create(request, answer);
  }

  change(order: string): string {
    this.#changes += 1;
    const status = `changed_${this.#changes}`;
    for (const stored of this.#objects.values()) if (stored.order === order) stored.status = status;
    return status;
  }

  #retrieve(path: string): Reply {
    const stored = this.#objects.get(path);
    if (stored === undefined) return problem(404, 'OBJECT_NOT_FOUND');
    const { object, status } = stored;
    return { status: 200, headers: jsonType, body: JSON.stringify({ ...object, status }) };
  }

  #create(request: ServiceRequest, answer: (reply: Reply) => void): void {
    const merchant = merchantIn(request.headers, request.body);
    const key = nameOf(keyOf(request.headers) ?? '', merchant);
    const { now } = this.#scheduler;
    const known = this.#keys.get(key);
    if (known !== undefined && now - known.at <= this.#keyMemory) {
      answer(repeated(known, request.body));
      return;
    }
    const fresh: Remembered = { body: request.body, at: now, reply: undefined };
    this.#keys.set(key, fresh);
    this.#later(request, () => {
      fresh.reply = this.#createObject(request);
      answer(fresh.reply);
    });
  }

  #later({ work }: ServiceRequest, action: () => void): void {
    if (work === 0) action();
    else this.#scheduler.after(work, action);
  }

  #createObject(request: ServiceRequest): Reply {
    const given = JSON.parse(request.body);
    if (given.customer !== undefined) return problem(422, 'OBJECT_NOT_FOUND');
    this.#count += 1;
    const id = String(this.#count).padStart(16, '0');
    const effect = effectOf(request, this.#currencyOf);
    this.#onEffect(effect);
    const { amount, currency } = effect.money;
    const merchant = merchantIn(request.headers, request.body);
    const money = { amount, currency: currency.toUpperCase() };
    const { payment_intent_id, metadata } = given;
    const object =
      request.path === refundPath
        ? {
            ...refund,
            ...money,
            id: `rf_${id}`,
            payment_intent_id,
            ...(merchant === 'other' && { merchant_id: merchantIds.other }),
          }
        : { ...paymentIntent, ...money, id: `pi_${id}`, merchant_id: merchantIds[merchant], metadata };
    const { status } = object;
    this.#objects.set(`${request.path}/${object.id}`, { order: effect.order, object, status });
    return { status: 200, headers: jsonType, body: JSON.stringify(object) };
  }

  #sell(request: ServiceRequest): Reply {
    const form = new URLSearchParams(request.body);
    const isApproved = Number(form.get('amount')) >= 1;
    this.#count += 1;
    const id = String(7_000_000_000 + this.#count);
    if (isApproved) this.#onEffect(effectOf(request, this.#currencyOf));
    const fields = {
      response: isApproved ? '1' : '2',
      responsetext: isApproved ? 'SUCCESS' : 'DECLINE',
      authcode: isApproved ? '123456' : '',
      transactionid: id,
      avsresponse: 'Y',
      cvvresponse: 'M',
      orderid: form.get('orderid'),
      type: 'sale',
      response_code: isApproved ? '100' : '200',
      risk_score: '10',
      risk_decision: 'A',
      ...(merchantIn(request.headers, request.body) === 'other' && { merchant: 'other' }),
    };
    const body = Object.entries(fields)
      .map(([name, value]) => `${name}=${value}`)
      .join('&');
    return { status: 200, headers: { 'content-type': 'text/html; charset=UTF-8' }, body };
  }
}

/** Asks a sandbox: what it replies, whether that is new, and whether money moved. */
export async function askSandbox(
  sandbox: Sandbox,
  request: Asked,
  currencyOf: CurrencyOf,
): Promise<{ readonly reply: Reply; readonly isNew: boolean; readonly effect: Effect | undefined }> {
  const { method, path, headers, body } = request;
  const isRead = method === 'GET';
  const sent = { method, headers, ...(!isRead && { body }) };
  const response = await sandbox.fetch(new Request(sandbox.url + path, sent));
  const reply = {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: await response.text(),
  };
  const isNew = !isRead && response.ok && response.headers.get('idempotent-replayed') === null;
  const isDeclined = path === formPath && !reply.body.startsWith('response=1');
  return { reply, isNew, effect: isNew && !isDeclined ? effectOf(request, currencyOf) : undefined };
}

/** The sandbox as the service. It never forgets a key. */
export class SandboxService implements Service {
  readonly #scheduler: Scheduler;
  readonly #sandbox: Sandbox;
  readonly #currencyOf: CurrencyOf;
  readonly #onEffect: OnEffect;

  constructor(scheduler: Scheduler, sandbox: Sandbox, currencyOf: CurrencyOf, onEffect: OnEffect) {
    this.#scheduler = scheduler;
    this.#sandbox = sandbox;
    this.#currencyOf = currencyOf;
    this.#onEffect = onEffect;
  }

  /** Its objects have no other status that a person could give them. */
  change(): undefined {}

  handle(request: ServiceRequest, answer: (reply: Reply) => void): void {
    this.#scheduler.begin();
    void askSandbox(this.#sandbox, request, this.#currencyOf).then(({ reply, effect }) => {
      if (effect !== undefined) this.#onEffect(effect);
      answer(reply);
      this.#scheduler.end();
    });
  }
}
