import type { PaymentIntent } from '../resources/payment-intents.ts';
import { untilAborted } from './abortable.ts';
import { createApp } from './app.ts';
import { type SandboxClock, VirtualClock } from './clock.ts';
import { FaultQueue } from './fault-queue.ts';
import type { Faults } from './faults.ts';
import type { Transaction } from './form/transaction.ts';
import type { Address, Listener } from './listen.node.ts';
import type { SandboxKind, SandboxObjects } from './objects.ts';
import { readOptions, type SandboxOptions } from './options.ts';
import { pay } from './pay.ts';
import { type LoggedRequest, RequestLog } from './request-log.ts';
import { Shelf } from './shelf.ts';
import { State } from './state.ts';
import type { WebRequest, WebResponse } from './web-types.ts';

/** Where the sandbox listens. */
export interface ListenOptions {
  /** The port. Default: 0, which takes a free one. */
  readonly port?: number | undefined;
  /** The loopback address. Default: `127.0.0.1`. */
  readonly host?: '127.0.0.1' | '::1' | 'localhost' | undefined;
}

const loopback: readonly string[] = ['127.0.0.1', '::1', 'localhost'];

/**
 * A double of the payment service that keeps state: what is created can be read, paid and refunded. It runs in this
 * process and moves no money. Every payment method pays, but for `pm_card_declined`.
 *
 * @example
 * const sandbox = createSandbox();
 * const payments = new PaymentsClient({
 *   baseUrl: sandbox.url,
 *   secretKey: sandbox.secretKey,
 *   fetch: sandbox.fetch,
 * });
 */
export class Sandbox {
  /** The secret key that `/v1` asks for. */
  readonly secretKey: string;
  /** The key that the form endpoint asks for as `security_key`. */
  readonly securityKey: string;
  /** The key that browser scripts are given. */
  readonly publicKey: string;
  /** The sandbox's time; every timestamp comes from it. */
  readonly clock: SandboxClock;
  /** What is to go wrong. */
  readonly faults: Faults;
  /**
   * Answers a request in this process, without a network. It is bound, so it can be given to a client as its `fetch`.
   * The origin of the address does not matter.
   */
  readonly fetch: (request: WebRequest) => Promise<WebResponse>;

  readonly #state: State;
  readonly #shelf: Shelf;
  readonly #log = new RequestLog();
  readonly #answer: (request: Request) => Promise<Response>;
  #listener: Promise<Listener> | undefined;
  #url = 'http://localhost';

  constructor(options: SandboxOptions) {
    const settings = readOptions(options);
    const clock = new VirtualClock(settings.startsAt);
    const faults = new FaultQueue();
    this.secretKey = settings.secretKey;
    this.securityKey = settings.securityKey;
    this.publicKey = settings.publicKey;
    this.faults = faults;
    this.#state = new State(clock);
    const { agenda } = this.#state;
    this.clock = { now: () => clock.now(), advance: (duration) => agenda.advance(duration) };
    this.#shelf = new Shelf(this.#state);
    const app = createApp({ state: this.#state, settings, faults, log: this.#log });
    this.#answer = async (request) => app.fetch(request);
    this.fetch = (request) => untilAborted(() => this.#answer(request), request.signal);
  }

  /** Where clients reach it: the server's address while it listens, else one that only {@link fetch} answers. */
  get url(): string {
    return this.#url;
  }

  /** Waits until nothing is due any more: every delivery of a webhook that is due now was tried. */
  settled(): Promise<void> {
    return this.#state.agenda.settled();
  }

  /** The newest requests that were answered or dropped, at most 1,000, newest last. */
  get requests(): readonly LoggedRequest[] {
    return this.#log.entries();
  }

  /** The transactions of the form endpoint, approved or declined, newest last. They carry no card data. */
  get transactions(): readonly Transaction[] {
    return this.#state.objects.transaction.all();
  }

  /**
   * Puts an object of any kind into the sandbox, as the newest, also of a kind that no request creates. What is not
   * given has a default: a new id, a first state, 12.00 USD. Nothing else changes: an object that it refers to may be
   * missing, and sums are as given.
   *
   * @throws Error when the fields do not make such an object, or the id is taken.
   *
   * @example
   * const invoice = sandbox.add('invoice', { customer: customer.id });
   * sandbox.add('product', { name: 'Tea' });
   */
  add<Kind extends SandboxKind>(kind: Kind, fields?: Partial<SandboxObjects[Kind]>): SandboxObjects[Kind] {
    return this.#shelf.add(kind, fields);
  }

  /** One object as the sandbox has it now; `undefined` where there is none, or an open resource was deleted. */
  get<Kind extends SandboxKind>(kind: Kind, id: string): SandboxObjects[Kind] | undefined {
    return this.#shelf.get(kind, id);
  }

  /**
   * Changes some fields of an object, whatever its state: a refund succeeds or fails, a charge is settled. A refund
   * that fails no longer counts in its charge's `amount_refunded`; nothing else changes along.
   *
   * @throws Error when there is no such object, or the fields do not fit it.
   *
   * @example
   * sandbox.update('refund', refund.id, { status: 'succeeded' });
   */
  update<Kind extends SandboxKind>(
    kind: Kind,
    id: string,
    fields: Partial<SandboxObjects[Kind]>,
  ): SandboxObjects[Kind] {
    return this.#shelf.update(kind, id, fields);
  }

  /**
   * Stands in for the buyer: pays a payment intent, or a checkout session, which gets an intent and completes. A charge
   * is made and captured at once, whatever the intent's `capture_method`. An intent whose payment method is
   * `pm_card_declined` is declined: it gets a failed charge and waits for another payment method.
   *
   * @returns The intent as it then is.
   * @throws Error when there is no such object, or it does not wait for a payment.
   */
  pay(id: string): PaymentIntent {
    return this.#state.unit(() => pay(this.#state, id));
  }

  /**
   * Listens on this machine, for clients that need a network. Needs Node, or a runtime with its modules.
   *
   * @throws Error when it listens already, or the port is taken.
   * @throws RangeError when the host is not a loopback address.
   */
  async listen({ port = 0, host = '127.0.0.1' }: ListenOptions = {}): Promise<this> {
    if (!loopback.includes(host)) {
      throw new RangeError(
        'sandbox.listen: expected a loopback host, since anyone who reaches it can use it.',
      );
    }
    if (this.#listener !== undefined) throw new Error('sandbox.listen: expected no earlier listen, got one.');
    const starting = this.#start({ port, host });
    this.#listener = starting;
    try {
      const { url } = await starting;
      // It may have been closed meanwhile.
      if (this.#listener === starting) this.#url = url;
    } catch (error) {
      this.#listener = undefined;
      throw error;
    }
    return this;
  }

  /**
   * Stops listening, ends open connections, and releases held requests. What it remembers stays, so {@link fetch}
   * still works. Without effect the second time.
   */
  async close(): Promise<void> {
    this.faults.clear();
    const listener = this.#listener;
    this.#listener = undefined;
    this.#url = 'http://localhost';
    // One that could not start has nothing to close, and `listen` has said so.
    await (await listener?.catch(() => undefined))?.close();
  }

  async #start(address: Address): Promise<Listener> {
    const { startServer } = await import('./listen.node.ts');
    return startServer(this.#answer, address);
  }
}

/** Makes a sandbox. It works at once by its `fetch`; `listen` puts it on a port. */
export function createSandbox(options: SandboxOptions = {}): Sandbox {
  return new Sandbox(options);
}
