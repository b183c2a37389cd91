/** Runs one call of each kind against the sandbox, and prints the way of each: its files, its functions, and the files that it enters again. */

import { AsyncLocalStorage } from 'node:async_hooks';
import { PaymentsClient } from 'payments-client';
import { createJournal } from 'payments-client/journal';
import { memoryStore } from 'payments-client/stores';
import { Webhooks } from 'payments-client/webhooks';
import { createSandbox } from 'payments-client-sandbox';

/** The files that a call is in, from the outermost. */
const within = new AsyncLocalStorage<readonly string[]>();

export interface Way {
  readonly files: readonly string[];
  readonly functions: number;
  /** Each file that is entered from another while the call is in it already, with the files between. */
  readonly again: readonly string[];
  /** Which layer calls which, such as `resources → http`. */
  readonly arrows: readonly string[];
}

let files = new Set<string>();
let functions = new Set<string>();
let again = new Set<string>();
let arrows = new Set<string>();

/** The room of a file; the client and the sandbox stand above all. */
function layerOf(file: string): string {
  const [, isSandbox, room] = /^(sandbox\/)?src\/(?:(\w+)\/)?/.exec(file) ?? [];
  return isSandbox === undefined ? (room ?? 'client') : `sandbox/${room ?? ''}`;
}

/** The ground floor and what only holds facts is used by all, and calls nobody back. */
const isWay = (file: string) => !/^(?:sandbox\/)?src\/base\//.test(file);

function enterFunction<T>(file: string, name: string, run: () => T): T {
  const stack = within.getStore();
  if (stack === undefined) return run();
  files.add(file);
  functions.add(`${file} ${name}`);
  if (!isWay(file) || stack.at(-1) === file) return run();
  const [from, to] = [layerOf(stack.at(-1) ?? ''), layerOf(file)];
  if (stack.length > 0 && from !== to) arrows.add(`${from} → ${to}`);
  const before = stack.indexOf(file);
  if (before !== -1) again.add([...stack.slice(before), file].join(' → '));
  return within.run([...stack, file], run);
}

Object.assign(globalThis, { enterFunction });

async function wayOf(run: () => unknown): Promise<Way> {
  files = new Set();
  functions = new Set();
  again = new Set();
  arrows = new Set();
  await within.run([], async () => run());
  return { files: [...files], functions: functions.size, again: [...again], arrows: [...arrows].sort() };
}

const sandbox = await createSandbox().listen();
const { url: baseUrl, secretKey, securityKey } = sandbox;
const common = { baseUrl, secretKey, securityKey, maxRetries: 0 };
const plain = new PaymentsClient(common);
const store = memoryStore();
const journaled = new PaymentsClient({ ...common, journal: createJournal({ store }) });
const hooked = new PaymentsClient({
  ...common,
  hooks: { start: () => {}, request: () => {}, end: () => {} },
});
const webhooks = new Webhooks({ secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' });
const receiver = webhooks.receiver({ store, onEvent: () => {} });
/** An event that no receiver has handled yet: of a duplicate, no handler is called. */
const newDelivery = async (id: string) => {
  const body = JSON.stringify({ id, type: 'account.updated' });
  return { body, headers: await webhooks.sign(body) };
};
const { body, headers } = await newDelivery('evt_1');
const delivery = await newDelivery('evt_2');

const intent = { amount: 1200, currency: 'usd' };
const sale = { amount: '12.00', payment_token: 'tok_1' };
let ids = 0;
const by = () => {
  ids += 1;
  return { operationId: `order-${ids}` };
};

async function leaveOpen(): Promise<() => Promise<unknown>> {
  sandbox.faults.inject({ kind: 'drop_reply', operation: 'paymentIntents.create' });
  await journaled.paymentIntents.create(intent, by()).catch(() => {});
  for await (const operation of journaled.journal.open()) return () => operation.resume();
  throw new Error('No operation is open.');
}

const calls: Readonly<Record<string, () => unknown>> = {
  'a call': () => plain.paymentIntents.create(intent, by()),
  'a list': () => plain.products.list().toArray({ max: 9 }),
  'a request': () => plain.request({ method: 'GET', path: '/v1/products' }),
  'a sale': () => plain.transact.sale(sale),
  'a call with hooks': () => hooked.paymentIntents.create(intent, by()),
  'a journaled call': () => journaled.paymentIntents.create(intent, by()),
  'a journaled sale': () => journaled.transact.sale(sale, by()),
  'a resumed call': await leaveOpen(),
  'a verified webhook': () => webhooks.verify(body, headers),
  'a received webhook': () => receiver.handle(isWarm ? delivery : { body, headers }),
  'a story': () => sandbox.story('order-1'),
};

let isWarm = false;
// Once for what is made on first use.
for (const [name, run] of Object.entries(calls)) if (name !== 'a resumed call') await run();
isWarm = true;
const ways: Record<string, Way> = {};
for (const [name, run] of Object.entries(calls)) ways[name] = await wayOf(run);
await sandbox.close();
process.stdout.write(JSON.stringify(ways));
