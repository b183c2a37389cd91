/** A shop that is restarted while it works: sales, payments and events over HTTP, from clients that may hang up. */

import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import type { PaymentsClient } from 'payments-client';
import { createJournal } from 'payments-client/journal';
import { memoryStore } from 'payments-client/stores';
import { type Receiver, Webhooks } from 'payments-client/webhooks';
import { createSandbox, type Sandbox } from 'payments-client-sandbox';
import type { Draws } from '../orders/world/draws.ts';
import { clientOf } from '../support/sandbox.ts';
import type { ClaimStore } from '../support/stores.ts';

/** What a process is told to do when it has to stop. Its connection to the database ends last. */
export type Stop = (process: Process) => Promise<void>;

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

/** Waits for some turns of the event loop, and for no time. */
async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise(setImmediate);
}

/** A connection to the database, which refuses everything once it has ended. */
function connectTo(database: ClaimStore) {
  let hasEnded = false;
  const through =
    <Values extends unknown[], T>(ask: (...values: Values) => Promise<T>) =>
    async (...values: Values) => {
      await turns(1);
      if (hasEnded) throw new Error('Cannot use a pool after calling end on the pool');
      return ask(...values);
    };
  const store: ClaimStore = {
    claim: through(database.claim),
    renew: through(database.renew),
    complete: through(database.complete),
    release: through(database.release),
    find: through(database.find),
    open: through(database.open),
  };
  const end = () => {
    hasEnded = true;
  };
  return { store, end };
}

/** What the processes of a shop share: the service, the database, and what their handlers did. */
export class Shop {
  readonly sandbox: Sandbox = createSandbox();
  readonly database: ClaimStore = memoryStore({ now: () => this.now });
  /** The time of the database, in ms. */
  now = 0;
  readonly effects = new Map<string, number>();
  readonly draws: Draws;

  constructor(draws: Draws) {
    this.draws = draws;
  }

  /** A pause of the network or of a handler. */
  pause(): Promise<void> {
    return turns(this.draws.below(8));
  }

  async start(): Promise<Process> {
    const process = new Process(this);
    await process.listen();
    return process;
  }

  /** How often the card of an order was charged by the form endpoint. */
  salesOf(order: string): number {
    return this.sandbox.transactions.filter(({ orderid }) => orderid === order).length;
  }
}

export class Process {
  readonly payments: PaymentsClient;
  readonly receiver: Receiver;
  readonly server = createServer((request, response) => void this.#answer(request, response));
  readonly #connection: ReturnType<typeof connectTo>;

  constructor(shop: Shop) {
    this.#connection = connectTo(shop.database);
    const { store } = this.#connection;
    const fetch = async (request: Request) => {
      await shop.pause();
      const response = await shop.sandbox.fetch(request);
      await shop.pause();
      return response;
    };
    // All clients of one address in a process share what they know.
    const baseUrl = `https://${crypto.randomUUID()}.example`;
    this.payments = clientOf(shop.sandbox, {
      baseUrl,
      fetch,
      maxRetries: 0,
      journal: createJournal({ store, account: 'shop' }),
    });
    this.receiver = new Webhooks({ secret }).receiver({
      store,
      onError: () => {},
      onEvent: async ({ id }) => {
        await shop.pause();
        // Code of a process that has stopped has no effect.
        if (this.hasStopped) return;
        shop.effects.set(id, (shop.effects.get(id) ?? 0) + 1);
        await shop.pause();
      },
    });
  }

  hasStopped = false;

  async listen(): Promise<void> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
  }

  /** Ends the connection to the database, and the process. */
  end(): void {
    this.#connection.end();
    this.hasStopped = true;
    this.server.closeAllConnections();
  }

  /** Sends a request. Hangs up after some turns if it is to, whatever becomes of the request. */
  async ask(path: string, body: string, headers: object, hangsUpAfter: number | undefined): Promise<void> {
    const address = this.server.address();
    if (address === null || typeof address === 'string') return;
    const socket = connect({ host: '127.0.0.1', port: address.port });
    socket.on('error', () => {});
    const lines = Object.entries({
      host: 'shop',
      connection: 'close',
      'content-length': body.length,
      ...headers,
    });
    const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
    socket.write(`POST ${path} HTTP/1.1\r\n${head}\r\n${body}`);
    // A connection that is cut fails.
    const ended = once(socket.resume(), 'close').catch(() => {});
    if (hangsUpAfter === undefined) return ended.then(() => {});
    await once(socket, 'connect').catch(() => {});
    await turns(hangsUpAfter);
    socket.destroy();
  }

  /** Delivers an event. */
  async deliver(id: string, hangsUpAfter?: number): Promise<void> {
    const body = JSON.stringify({ id, type: 'payout.paid', data: { object: {} } });
    await this.ask('/webhooks', body, await new Webhooks({ secret }).sign(body), hangsUpAfter);
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.url === '/webhooks') return this.receiver.node(request, response);
    const [, kind, order = ''] = (request.url ?? '').split('/');
    const by = { operationId: order };
    const done =
      kind === 'sale'
        ? this.payments.transact.sale({ amount: '12.00', payment_token: 'tok_1', orderid: order }, by)
        : this.payments.paymentIntents.create({ amount: 1200, currency: 'usd' }, by);
    await done.then(
      () => response.end('paid'),
      () => response.writeHead(503).end(),
    );
  }
}
