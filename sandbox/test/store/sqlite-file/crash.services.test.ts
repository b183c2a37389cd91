/**
 * Kills a server with a data file repeatedly under load. After each start every answered request is there, and each
 * unanswered one is there completely or not at all.
 */

import { openSandbox, type Sandbox } from 'payments-client-sandbox';
import { expect, onTestFinished, test } from 'vitest';
import * as z from 'zod/mini';
import { bySize } from '../../../../test/support/size.ts';
import { temporaryFile } from '../../../../test/support/temporary-file.ts';
import { kill, type Server, startServer } from './processes.ts';

// More would emit more events than a sandbox keeps.
const kills = bySize({ short: 3, all: 40, long: 200 });
const clients = 8;
const path = '/v1/payment_intents';

interface Sent {
  readonly path: string;
  readonly body: string;
  /** The response, if it arrived. */
  readonly reply: string | undefined;
}

const created = z.looseObject({ id: z.string(), status: z.optional(z.string()) });

/** The sent requests by idempotency key. */
type Book = Map<string, Sent>;

async function post(server: Server, to: string, key: string, body: string): Promise<Response> {
  return fetch(server.url + to, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${server.secretKey}`,
      'content-type': 'application/json',
      'idempotency-key': key,
    },
    body,
  });
}

async function send(server: Server, book: Book, to: string, key: string, params: object): Promise<string> {
  const body = JSON.stringify(params);
  book.set(key, { path: to, body, reply: undefined });
  const response = await post(server, to, key, body);
  const reply = await response.text();
  expect([response.status, response.headers.get('idempotent-replayed')]).toEqual([200, null]);
  book.set(key, { path: to, body, reply });
  return created.parse(JSON.parse(reply)).id;
}

/** Pays and partly refunds in a loop, until the server is gone. */
async function shop(server: Server, book: Book, name: string, answered: () => void): Promise<void> {
  for (let order = 0; ; order += 1) {
    const key = `${name}-${order}`;
    const id = await send(server, book, path, `${key}-create`, { amount: 1200, currency: 'usd' });
    answered();
    await send(server, book, `${path}/${id}/confirm`, `${key}-confirm`, { payment_method: 'pm_card' });
    answered();
    await send(server, book, `${path}/${id}/refund`, `${key}-refund`, { amount: 500 });
    answered();
  }
}

function isBrokenConnection(error: unknown): boolean {
  return error instanceof TypeError && /fetch failed|terminated/.test(error.message);
}

/** Kills a server after a number of responses, while other requests are pending. */
async function crash(server: Server, book: Book, round: number, answersUntilThen: number): Promise<void> {
  let answers = 0;
  let killed: Promise<void> | undefined;
  const answered = () => {
    answers += 1;
    if (answers === answersUntilThen) killed = kill(server);
  };
  const ends = await Promise.allSettled(
    Array.from({ length: clients }, (_, client) => shop(server, book, `${round}-${client}`, answered)),
  );
  for (const end of ends) {
    if (end.status === 'rejected' && !isBrokenConnection(end.reason)) throw end.reason;
  }
  await killed;
}

async function expectReplayed(server: Server, [key, sent]: readonly [string, Sent]): Promise<void> {
  const response = await post(server, sent.path, key, sent.body);
  const reply = await response.text();
  expect(response.status).toBe(200);
  if (sent.reply === undefined) return;
  expect(reply).toBe(sent.reply);
  expect(response.headers.get('idempotent-replayed')).toBe('true');
}

test(`loses no answered request and keeps no partial one in ${kills} crashes`, {
  timeout: 300_000,
}, async () => {
  const file = await temporaryFile();
  const all: Book = new Map();
  let round: Book = new Map();
  let server = await startServer(file);
  onTestFinished(() => kill(server));
  for (let count = 0; count < kills; count += 1) {
    await crash(server, round, count, 1 + ((count * 7919) % 61));
    server = await startServer(file);
    for (const entry of round) await expectReplayed(server, entry);
    for (const [key, sent] of round) all.set(key, sent);
    round = new Map();
  }
  const unanswered = [...all.values()].filter(({ reply }) => reply === undefined);
  expect(unanswered.length).toBeGreaterThan(kills);
  for (const entry of all) await expectReplayed(server, entry);
  await kill(server);

  const sandbox = await openSandbox(file);
  onTestFinished(() => sandbox.close());
  const told = new Map<string, number>();
  for (const { type, data } of sandbox.events) {
    const { id } = created.parse(data.object);
    told.set(`${type} ${id}`, (told.get(`${type} ${id}`) ?? 0) + 1);
  }
  // The event log is bounded, and the run stays below its capacity.
  expect(sandbox.events.length).toBeLessThan(10_000);
  expect([...told.values()].every((times) => times === 1)).toBe(true);
  const { objects } = await inventory(sandbox);
  for (const intent of objects.payment_intents) {
    expect(told.has(`payment_intent.created ${intent.id}`)).toBe(true);
    expect(told.has(`payment_intent.succeeded ${intent.id}`)).toBe(intent['status'] === 'succeeded');
    const charge = sandbox.get('charge', String(intent['latest_charge_id']));
    expect(charge?.intent_id).toBe(intent['status'] === 'succeeded' ? intent.id : undefined);
  }
  await expectStoriesToAgree(sandbox, objects.payment_intents);
  for (const refund of objects.refunds) expect(told.has(`refund.created ${refund.id}`)).toBe(true);
  for (const charge of objects.charges) {
    const refunds = objects.refunds.filter((refund) => refund['charge_id'] === charge.id);
    expect(charge['amount_refunded']).toBe(500 * refunds.length);
  }
  // Each request had its effect once, though all were sent at least twice.
  expect(objects.payment_intents).toHaveLength(
    [...all.keys()].filter((key) => key.endsWith('create')).length,
  );
  expect(objects.refunds).toHaveLength([...all.keys()].filter((key) => key.endsWith('refund')).length);
  process.stdout.write(`${all.size} requests, ${unanswered.length} of them cut off by a crash\n`);
});

/** Each story says of its payment what the object says, unless its first entries were dropped. */
async function expectStoriesToAgree(
  sandbox: Sandbox,
  intents: readonly z.infer<typeof created>[],
): Promise<void> {
  const headers = { authorization: `Bearer ${sandbox.secretKey}` };
  const first = await sandbox.fetch(new Request(`${sandbox.url}/_sandbox/entries/1`, { headers }));
  if (!first.ok) return expect(kills).toBeGreaterThan(3);
  for (const { id, status } of intents) {
    expect(sandbox.story(id)?.charges, id).toBe(status === 'succeeded' ? 1 : 0);
  }
}

const page = z.object({ data: z.array(created) });

async function inventory(sandbox: Sandbox) {
  const list = async (name: string) => {
    const headers = { authorization: `Bearer ${sandbox.secretKey}` };
    const address = `${sandbox.url}/v1/${name}?limit=1000000`;
    const response = await sandbox.fetch(new Request(address, { headers }));
    return page.parse(await response.json()).data;
  };
  const [payment_intents, refunds, charges] = await Promise.all([
    list('payment_intents'),
    list('refunds'),
    list('charges'),
  ]);
  return { objects: { payment_intents, refunds, charges } };
}
