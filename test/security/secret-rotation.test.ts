/**
 * Each kind of secret is rotated while calls run, without a person: no call fails, nothing acts twice, and what was a secret before is still
 * hidden.
 */

import { inspect } from 'node:util';
import { type Fetch, PaymentsClient, PaymentsError } from 'payments-client';
import { createJournal, type JournalOptions } from 'payments-client/journal';
import { memoryStore } from 'payments-client/stores';
import { Webhooks } from 'payments-client/webhooks';
import { createSandbox } from 'payments-client-sandbox';
import { expect, it } from 'vitest';
import { failureOf } from '../support/failure.ts';
import { startAnew } from '../support/new-process.ts';

/** A secret, and the work that needs it. */
interface Rotation {
  /** Does one piece of work. The same number is the same work. */
  readonly work: (number: number) => Promise<unknown>;
  /** What is done one after the other, from the old secret to the new one alone. All work that began before a step ends before the next. */
  readonly steps: readonly (() => unknown)[];
  /** What took effect: one text for each. */
  readonly effects: () => readonly string[];
  /** What can show a secret, once the service, a handler or a store repeats all of them. */
  readonly shown: () => Promise<unknown>;
  readonly secrets: readonly string[];
}

const workers = 3;

/** Takes the steps while workers do new work, and repeat their own. Returns how much was done. */
async function underLoad({ work, steps }: Rotation): Promise<number> {
  let count = 0;
  let isOver = false;
  const running = new Set<Promise<unknown>>();
  const tracked = async (number: number) => {
    const done = work(number);
    running.add(done);
    await done.finally(() => running.delete(done));
  };
  const worker = async () => {
    for (let before: number | undefined; !isOver; ) {
      const number = count++;
      await tracked(number);
      if (before !== undefined) await tracked(before);
      before = number;
    }
  };
  const all = Promise.all(Array.from({ length: workers }, worker)).finally(() => (isOver = true));
  /** Waits until the work under way has ended, and each worker is at more. */
  const round = async () => {
    await Promise.all(running);
    while (running.size < workers && !isOver) await Promise.resolve();
  };
  const take = async () => {
    for (const step of steps) {
      await step();
      for (let rounds = 0; rounds < 3; rounds += 1) await round();
    }
  };
  await Promise.race([take(), all]).finally(() => (isOver = true));
  await all;
  return count;
}

const [oldKey, newKey] = ['sk_v1_test_quietriver01', 'sk_v1_test_greengarden2'];
const [oldSecurityKey, newSecurityKey] = ['quiet-river-of-key-01', 'green-garden-of-key-2'];

/** A service that accepts some keys, in front of a sandbox, which has one. */
function gate(keys: readonly string[], [first, ...others]: readonly [string, ...string[]]) {
  const sandbox = createSandbox({ secretKey: oldKey, securityKey: oldSecurityKey });
  const accepted = new Set([first, ...others]);
  const state = { isBroken: false };
  const sales: string[] = [];
  const refusal = () => Response.json({ error: { message: `no ${keys.join(' or ')}` } }, { status: 401 });
  const fetch: Fetch = async (given) => {
    const request = new Request(given);
    if (state.isBroken) return refusal();
    if (request.url.includes('/v1/')) {
      const key = request.headers.get('authorization')?.replace('Bearer ', '') ?? '';
      if (!accepted.has(key)) return refusal();
      request.headers.set('authorization', `Bearer ${oldKey}`);
      return sandbox.fetch(request);
    }
    const form = new URLSearchParams(await request.text());
    if (!accepted.has(form.get('security_key') ?? '')) return refusal();
    sales.push(String(form.get('orderid')));
    form.set('security_key', oldSecurityKey);
    return sandbox.fetch(new Request(request.url, { method: 'POST', body: form }));
  };
  return { sandbox, fetch, accepted, state, sales };
}

/** Where logs and errors go. */
function outputs() {
  const lines: unknown[] = [];
  const log = (...line: unknown[]) => void lines.push(line);
  return { lines, logger: { debug: log, info: log, warn: log, error: log } };
}

type KeyOption = 'secretKey' | 'securityKey';

/** A key that a function returns: a new one is issued, then used, then the old one is revoked. */
function keyOf(option: KeyOption, old: string, fresh: string): Rotation {
  const others = option === 'secretKey' ? oldSecurityKey : oldKey;
  const { sandbox, fetch, accepted, state, sales } = gate([old, fresh], [old, others]);
  const vault = { key: old };
  const { lines, logger } = outputs();
  const payments = new PaymentsClient({
    baseUrl: sandbox.url,
    fetch,
    logger,
    secretKey: oldKey,
    securityKey: oldSecurityKey,
    [option]: async () => vault.key,
    journal: createJournal({ store: memoryStore(), account: 'shop-1-test' }),
  });
  const effects = new Map<string, string>();
  const pay = async (operationId: string) => {
    const { id } = await payments.paymentIntents.create({ amount: 1200, currency: 'usd' }, { operationId });
    expect(effects.get(operationId) ?? id).toBe(id);
    effects.set(operationId, id);
  };
  const card = { ccnumber: '4111111111111111', ccexp: '1230', cvv: '123' };
  const sell = (operationId: string) =>
    payments.transact.sale({ amount: '12.00', ...card, orderid: operationId }, { operationId });
  const call = option === 'secretKey' ? pay : sell;
  return {
    work: (number) => call(`order-${number}`),
    steps: [
      () => accepted.add(fresh),
      () => {
        vault.key = fresh;
      },
      () => accepted.delete(old),
    ],
    effects: () => (option === 'secretKey' ? [...effects.keys()] : sales),
    shown: async () => {
      state.isBroken = true;
      return [await failureOf(call('order-late'), PaymentsError), lines, payments];
    },
    secrets: [old, fresh],
  };
}

/** The secret of an endpoint: the sender signs with both, until the receiver knows the new one and the sender drops the old one. */
function signingSecret(): Rotation {
  const { lines, logger } = outputs();
  const sandbox = createSandbox();
  const vault: { secrets: string[] } = { secrets: [sandbox.webhookSecret] };
  const secrets = [sandbox.webhookSecret];
  const webhooks = new Webhooks({ secrets: async () => vault.secrets, logger, now: sandbox.clock.now });
  const handled: string[] = [];
  const state = { isBroken: false };
  const receiver = webhooks.receiver({
    store: memoryStore(),
    onEvent: ({ id }) => {
      if (state.isBroken) throw new Error(`no ${secrets.join(' or ')}`);
      handled.push(id);
    },
  });
  const deliver = async (request: Request) => {
    const response = await receiver.fetch(request);
    if (!state.isBroken) expect(response.status).toBe(200);
    return response;
  };
  const endpoint = sandbox.webhooks.deliverTo(deliver, { secret: sandbox.webhookSecret });
  const events = new Map<number, string>();
  return {
    work: async (number) => {
      const known = events.get(number);
      if (known !== undefined) sandbox.webhooks.replay(known);
      else events.set(number, sandbox.trigger('customer.created').id);
      await sandbox.settled();
    },
    steps: [
      () => secrets.push(sandbox.webhooks.rotateSecret(endpoint.id)),
      () => {
        vault.secrets = secrets.toReversed();
      },
      () => sandbox.webhooks.dropOldSecrets(endpoint.id),
      () => {
        vault.secrets = secrets.slice(1);
      },
    ],
    effects: () => handled,
    shown: async () => {
      state.isBroken = true;
      sandbox.trigger('customer.created');
      await sandbox.settled();
      return [lines, webhooks, receiver];
    },
    secrets,
  };
}

const [one = '', two = ''] = [1, 2].map((byte) => Buffer.alloc(32, byte).toString('base64'));

/** The key of a journal: each deploy replaces one process after the other, from records in plain to those of a second key. */
function encryptionKey(): Rotation {
  const { lines, logger } = outputs();
  const store = memoryStore();
  const { sandbox, fetch } = gate([], [oldKey, oldSecurityKey]);
  const process = (ring: JournalOptions['encryptionKey']) => {
    startAnew();
    const journal = createJournal({ store, account: 'shop-1-test', encryptionKey: ring });
    return new PaymentsClient({
      baseUrl: sandbox.url,
      fetch,
      logger,
      secretKey: oldKey,
      securityKey: oldSecurityKey,
      journal,
    });
  };
  const processes = [process(undefined), process(undefined)];
  const effects = new Map<string, string>();
  let turn = 0;
  const pay = async (operationId: string, { paymentIntents }: PaymentsClient) => {
    const { id } = await paymentIntents.create({ amount: 1200, currency: 'usd' }, { operationId });
    expect(effects.get(operationId) ?? id).toBe(id);
    effects.set(operationId, id);
  };
  const anyProcess = () => processes[turn++ % processes.length] ?? expect.fail('no process runs');
  const deploy = (ring: JournalOptions['encryptionKey']) =>
    processes.map((_, index) => () => {
      processes[index] = process(ring);
    });
  const reencrypt = async () =>
    expect(await anyProcess().journal.reencrypt()).toMatchObject({ left: 0, others: 0 });
  return {
    work: (number) => pay(`order-${number}`, anyProcess()),
    steps: [
      ...deploy(['plain', one]),
      ...deploy([one, 'plain']),
      reencrypt,
      ...deploy(one),
      ...deploy([one, two]),
      ...deploy([two, one]),
      reencrypt,
      ...deploy(two),
    ],
    effects: () => [...effects.keys()],
    shown: async () => {
      const error = await failureOf(pay('order-0', process([one])), PaymentsError);
      expect(error.message).toContain('add the key that wrote it, as in [new, old]');
      return [error, lines, processes, process([one, two]), store];
    },
    secrets: [one, two],
  };
}

const rotations: Readonly<Record<string, () => Rotation>> = {
  secretKey: () => keyOf('secretKey', oldKey, newKey),
  securityKey: () => keyOf('securityKey', oldSecurityKey, newSecurityKey),
  'the signing secret of webhooks': signingSecret,
  'the encryptionKey of a journal': encryptionKey,
};

it.each(Object.entries(rotations))(
  '%s rotates under load: no call fails, none acts twice, and no secret is shown',
  async (_name, start) => {
    const rotation = start();
    const done = await underLoad(rotation);
    expect(done).toBeGreaterThanOrEqual(workers * rotation.steps.length);
    const effects = rotation.effects();
    expect([effects.length, new Set(effects).size]).toEqual([done, done]);
    const shown = await rotation.shown();
    const all = inspect(shown, { depth: Number.POSITIVE_INFINITY, showHidden: true }) + JSON.stringify(shown);
    for (const secret of rotation.secrets) expect(all).not.toContain(secret);
  },
);
