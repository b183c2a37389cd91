import { getRequestListener } from '@hono/node-server';
import type { PaymentsClient, PaymentsClientOptions } from 'payments-client';
import { createJournal } from 'payments-client/journal';
import { createOrders, type Orders } from 'payments-client/orders';
import { memoryStore } from 'payments-client/stores';
import { createSandbox, type Sandbox } from 'payments-client-sandbox';
import { expect, it, onTestFinished } from 'vitest';
import { startAnew } from '../support/new-process.ts';
import { clientOf } from '../support/sandbox.ts';
import { serve } from '../support/serve.ts';

/** A crash at a request, counted from 1: before the service gets it, or before its response arrives. */
export interface Crash {
  readonly request: number;
  readonly moment: 'before' | 'after';
}

/** What befalls a request: a crash of the caller, or that its response is lost. */
type Fault = Crash | { readonly request: number; readonly moment: 'lost' };

/** A crash at each moment of a workflow of so many requests. */
export function crashesOf(requests: number): Crash[] {
  const numbers = Array.from({ length: requests }, (_, index) => index + 1);
  return numbers.flatMap((request) => [
    { request, moment: 'before' },
    { request, moment: 'after' },
  ]);
}

/** A service in front of a sandbox. At the moment of the crash it stops answering one request. */
export class CrashingService {
  readonly #at: Fault | undefined;
  readonly #sandbox: Sandbox;
  #crashed: (value: 'crashed') => void = () => undefined;
  /** Ends at the moment of the crash. */
  readonly crash = new Promise<'crashed'>((resolve) => {
    this.#crashed = resolve;
  });
  /** How many requests it got. */
  requests = 0;

  constructor(sandbox: Sandbox, at?: Fault) {
    this.#sandbox = sandbox;
    this.#at = at;
  }

  readonly fetch = async (request: Request): Promise<Response> => {
    this.requests += 1;
    const moment = this.#at?.request === this.requests ? this.#at.moment : undefined;
    if (moment === 'before') return await this.#stop();
    const response = await this.#sandbox.fetch(request);
    if (moment === 'lost') throw Object.assign(new Error('the response was lost'), { code: 'ECONNRESET' });
    return moment === 'after' ? await this.#stop() : response;
  };

  /** Serves it over HTTP until the test ends. */
  async listen(): Promise<string> {
    const server = await serve(getRequestListener(this.fetch));
    onTestFinished(() => server.close());
    return server.url;
  }

  #stop(): Promise<never> {
    this.#crashed('crashed');
    return new Promise(() => undefined);
  }
}

/** The charges of a sandbox, such as `succeeded 1200`. */
export async function chargesIn(sandbox: Sandbox): Promise<readonly string[]> {
  const charges = await clientOf(sandbox, { fetch: sandbox.fetch }).charges.list().toArray({ max: 10 });
  return charges.map(({ status, amount }) => `${status} ${amount}`).toSorted();
}

/** What a workflow came to. */
interface Result {
  readonly status: string;
  readonly charges: readonly string[];
  readonly requests: number;
  /** The id of each order, as often as it was shipped. */
  readonly shipped: readonly string[];
}

/**
 * Runs a workflow whose process crashes once, or never, and returns what the next process comes to.
 *
 * @param start Starts or continues the workflow of an order, until its end.
 */
async function runCrashing(
  start: (orders: Orders) => Promise<string>,
  { at, hasJournal }: { readonly at?: Fault; readonly hasJournal: boolean },
): Promise<Result> {
  const sandbox = createSandbox({ onlyShownFields: true });
  const service = new CrashingService(sandbox, at);
  const store = memoryStore();
  const shipped: string[] = [];
  const startProcess = () => {
    startAnew();
    const options: PaymentsClientOptions = hasJournal ? { journal: createJournal({ store }) } : {};
    // A call of a process that crashed never ends.
    const patient = { timeout: 1e9, totalTimeout: 1e9 };
    const payments = clientOf(sandbox, { ...options, ...patient, fetch: service.fetch, maxRetries: 0 });
    return start(ordersOf(payments, store, shipped));
  };
  const first = await Promise.race([startProcess(), service.crash]);
  const status = first === 'crashed' ? await startProcess() : first;
  return { status, charges: await chargesIn(sandbox), requests: service.requests, shipped };
}

/** The orders of a shop in a process: one box of tea each. */
export function ordersOf(
  payments: PaymentsClient,
  store: ReturnType<typeof memoryStore>,
  shipped: string[] = [],
): Orders {
  return createOrders({
    payments,
    store,
    account: 'tea-shop-test',
    page: (id) => `https://shop.example/orders/${id}`,
    order: () => ({ createdAt: 1, currency: 'usd', lines: [{ name: 'Tea', amount: 1200, quantity: 1 }] }),
    onPaid: ({ id }) => void shipped.push(id),
  });
}

/** Both forms of a client. */
const journals = [
  { hasJournal: false, which: 'without a journal' },
  { hasJournal: true, which: 'with a journal' },
] as const;

/** An order whose first card is declined. */
export const order = { id: 'order-1042', cards: ['pm_card_declined', 'pm_card'] } as const;

/** The requests of the order: the intent, the card that is declined, the intent again, and the other card. */
export const requests = 4;

/**
 * The charges of the order when its process crashes, or a response is lost. The order knows that the card was declined once it has read the intent
 * again; if that fails, the step begins anew with a card that was declined, and asks for it again.
 */
export function chargesAfter(fault?: Fault): readonly string[] {
  const isAskedAgain = fault?.request === 3;
  return [...(isAskedAgain ? ['failed 1200'] : []), 'failed 1200', 'succeeded 1200'];
}

/**
 * Tests that a workflow charges and ships the order once, whatever befalls one of its requests.
 *
 * @param workflow Returns a workflow that goes on, whichever process runs it.
 */
export function testWorkflow(workflow: () => (orders: Orders) => Promise<string>): void {
  const ends = (at?: Fault) => ({ status: 'paid', charges: chargesAfter(at), shipped: [order.id] });

  it.each(journals)('is charged once, by the card that is not declined, $which', async ({ hasJournal }) => {
    expect(await runCrashing(workflow(), { hasJournal })).toEqual({ ...ends(), requests });
  });

  it.each(crashesOf(requests).flatMap((at) => journals.map((form) => ({ ...form, at }))))(
    'is charged and shipped once after a crash $at.moment request $at.request, $which',
    async (form) => {
      expect(await runCrashing(workflow(), form)).toMatchObject(ends(form.at));
    },
  );

  it.each([1, 2, 3, 4])('is charged and shipped once after the response %i is lost', async (request) => {
    for (const { hasJournal } of journals) {
      const at = { request, moment: 'lost' } as const;
      const result = await runCrashing(workflow(), { hasJournal, at });
      expect(result).toMatchObject(ends(at));
      expect(result.requests).toBeGreaterThan(requests);
    }
  });
}
