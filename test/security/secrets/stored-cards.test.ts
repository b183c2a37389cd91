/** Reaches inside: the schemas and the routes know each field of each call.
 *
 * Card data in every field of every call and every event, by value: no store, file or queue gets it.
 */

import { readFile } from 'node:fs/promises';
import { PaymentsClient, type RouteName, type WithOperationId } from 'payments-client';
import { typicalVelocityRules, VelocityGuard } from 'payments-client/fraud';
import { createJournal, type JournalOptions } from 'payments-client/journal';
import { sqliteStore } from 'payments-client/stores';
import { describe, expect, it, onTestFinished } from 'vitest';
import { fieldNames } from '../../../src/base/schema/field-names.ts';
import { requestSchema } from '../../../src/resources/request-schemas.ts';
import { routes } from '../../../src/resources/routes.ts';
import { knownFieldNames } from '../../../src/transact/params.ts';
import { anything } from '../../support/anything.ts';
import { chargeback, envelope, eventOf, webhooksAt } from '../../support/deliveries.ts';
import { catalogTypes } from '../../support/event-catalog.ts';
import { everyMethod } from '../../support/every-method.ts';
import { bySize, everyNth } from '../../support/size.ts';
import { temporaryFile } from '../../support/temporary-file.ts';
import { baseUrl, by, errorOf, recordingStore } from './calls.ts';
import { cardNumber, cardNumbers, secretKey, securityCode, securityKey, track1, track2 } from './canaries.ts';
import { inEveryForm } from './encodings.ts';
import { Outputs } from './outputs.ts';
import { clientWith } from './planting.ts';

/** Card numbers in every form and tracks, alone and within a text. A number is not in a text. */
const chipTrack = `${cardNumber}D7811101${securityCode}`;
const tracks = [track1, track2, chipTrack, encodeURIComponent(track1), `${track1}${track2}`];
const forms = [...inEveryForm(cardNumbers), ...tracks, ...tracks.map((track) => JSON.stringify({ track }))];
const texts = forms.flatMap((form) => [form, `card ${form} of Ada`]);

let turn = 0;
/** Returns the next text with card data. */
const next = () => texts[(turn += 1) % texts.length] ?? '';

/** Plants card data in fields. */
function planted(names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [name, next()]));
}

const moneyMethods = (Object.keys(routes) as RouteName[]).filter((name) => routes[name].movesMoney);

/** A service that fails every other time, and repeats card data in every way. */
function echoing() {
  let calls = 0;
  return async ({ url }: Request) => {
    calls += 1;
    if (calls % 2 === 1) return Response.json({ message: next() }, { status: 500 });
    const form = { response: '1', transactionid: '316', responsetext: next(), card: next(), id: next() };
    if (url.includes('transact')) {
      return calls % 4 === 0 ? Response.json(form) : new Response(new URLSearchParams(form).toString());
    }
    const deep = { list: [next(), Number(cardNumber)], [next()]: next() };
    return Response.json({ id: 'x_1', said: next(), metadata: { id: cardNumber, orderid: next() }, deep });
  };
}

/** Starts a client with a journal, whose store adds all that it gets. */
function start(
  out: Outputs,
  options: Partial<JournalOptions> = {},
  observers: object = out.options,
): PaymentsClient {
  const journal = createJournal({ store: recordingStore(out), ...options });
  const client = { baseUrl, secretKey, securityKey, maxRetries: 0, fetch: echoing() };
  return new PaymentsClient({ ...client, validation: 'off', journal, ...observers });
}

/** Makes a call that fails, one that succeeds, and its repeat. Lists what is open. */
async function callThrice(
  payments: PaymentsClient,
  out: Outputs,
  call: (given: WithOperationId) => PromiseLike<unknown>,
) {
  for (const operationId of ['lost', 'done', 'done']) await errorOf(out, () => call({ operationId }));
  for await (const operation of payments.journal.open()) out.add('open', operation);
}

/** Expects card data to have been masked, and none to be left. */
function expectMasked(out: Outputs, source = 'stored'): void {
  expect(JSON.stringify(out.of(source))).toContain('-masked]');
  const leaks = out.leaks();
  expect(leaks, leaks.join('\n')).toEqual([]);
}

describe('no store of a journal gets card data', () => {
  it.each(moneyMethods)('of any field of %s, or of its response', async (name) => {
    const out = new Outputs();
    const payments = start(out);
    const schema = requestSchema(name);
    const names = [...(schema === undefined ? [] : fieldNames(schema)), 'note', cardNumber];
    const metadata = { id: next(), [next()]: next(), number: Number(cardNumber) };
    const planting = {
      params: () => ({ ...planted(names), metadata, deep: [[next()], { deeper: Number(cardNumber) }] }),
      id: (id: string) => `${id}_${cardNumber}`,
    };
    const call = (given: WithOperationId) => everyMethod[name](clientWith(payments, planting, given), given);
    await callThrice(payments, out, call);
    expectMasked(out);
  });

  it('of any part of a request, its path included', async () => {
    const out = new Outputs();
    // Errors and events have the idempotency key, which names the path.
    const payments = start(out, {}, {});
    for (const form of forms) {
      const path = `/v1/cards/${encodeURIComponent(form)}/charge`;
      const request = { method: 'POST', path, query: { [form]: form }, body: [form, { id: form }] } as const;
      await callThrice(payments, new Outputs(), (given) => payments.request(request, given));
    }
    expectMasked(out);
  });

  const ids = /^(?:type|amount|transactionid|orderid|threeDSecure|security_key)$/;
  const named = [...knownFieldNames().filter((name) => !ids.test(name)), 'track_1', 'id', 'a_note'];
  const anyAuthentication = { allowFailedAuthentication: true, allowUnavailableAuthentication: true };
  const kinds = ['sale', 'auth', 'credit', 'validate', 'capture', 'void', 'refund', 'submit'] as const;

  it.each(kinds)('of any field of transact.%s, or of its response', async (kind) => {
    const out = new Outputs();
    const payments = start(out);
    const amount = kind === 'validate' || kind === 'void' ? {} : { amount: '12.00' };
    const earlier = ['capture', 'void', 'refund'].includes(kind) && { transactionid: '316' };
    const fixed = { ...(kind === 'submit' && { type: 'sale' }), ...amount, ...earlier };
    const call = (given: WithOperationId) =>
      payments.transact[kind](anything({ ...fixed, ...planted(named) }), { ...given, ...anyAuthentication });
    await callThrice(payments, out, call);
    expectMasked(out);
  });

  it('of a result that is given by hand', async () => {
    const out = new Outputs();
    const payments = start(out);
    await errorOf(out, () => payments.refunds.create({ charge_id: 'ch_1' }, by));
    const result = { id: 'rf_1', metadata: { note: cardNumber } };
    await payments.journal.settle(by.operationId, {
      operation: 'refunds.create',
      outcome: 'executed',
      result,
    });
    expectMasked(out);
  });

  it('of any kind, in a file of SQLite', async () => {
    const path = await temporaryFile();
    const store = sqliteStore(path);
    onTestFinished(() => store.close());
    const out = new Outputs();
    const payments = start(out, { store });
    await callThrice(payments, new Outputs(), (given) =>
      payments.transact.sale(anything({ amount: '12.00', ...planted(named) }), given),
    );
    await callThrice(payments, new Outputs(), (given) =>
      payments.paymentIntents.create(anything(planted(['amount', 'note'])), given),
    );
    for (const name of [path, `${path}-wal`]) out.add('stored', await readFile(name, 'latin1'));
    expectMasked(out);
  });
});

describe('no store or queue of a receiver gets card data', () => {
  /** A body in other bytes than UTF-8. */
  const bodiesOf = (value: unknown): (string | Uint8Array)[] => {
    const json = JSON.stringify(value);
    return [
      json,
      Buffer.from(json),
      Buffer.from(json, 'utf16le'),
      Buffer.from(`\ufeff${json}`, 'utf16le'),
      `${json}}`,
    ];
  };

  async function deliver(value: unknown): Promise<Outputs> {
    const out = new Outputs();
    const webhooks = webhooksAt({ logger: out.options.logger });
    const store = recordingStore(out);
    const onEvent = () => Promise.reject(new Error(`no ${next()}`));
    const receiver = webhooks.receiver({ store, onEvent, onError: () => {} });
    const hand = webhooks.receiver({ store, enqueue: (job) => out.add('queue', job) });
    for (const body of bodiesOf(value)) {
      const headers = await webhooks.sign(body);
      for (const { handle } of [receiver, hand]) await handle({ body, headers });
    }
    for await (const one of receiver.failed()) {
      out.add('failed', one);
      await receiver.dispatch(one).catch(() => {});
    }
    return out;
  }

  it.each(everyNth(catalogTypes, bySize({ short: 4, all: 1 })))('of any field of %s', async (type) => {
    const event = eventOf(type);
    const object = planted(Object.keys(Object(Reflect.get(Object(event['data']), 'object'))));
    const out = await deliver({
      ...event,
      ...planted(['note', 'operations']),
      data: { object: { ...object, id: 'x_1' } },
    });
    for (const source of ['stored', 'queue', 'failed']) expectMasked(out, source);
  });

  it('of a chargeback, of another event, or of a body without one', async () => {
    const { event, chargeback_id, ...more } = chargeback;
    const bodies = [
      { event, chargeback_id, ...planted(Object.keys(more)), transaction_id: '4711' },
      envelope('a.b', next()),
      forms,
    ];
    for (const body of bodies) {
      const out = await deliver(body);
      for (const source of ['stored', 'queue', 'failed']) expectMasked(out, source);
    }
  });
});

it('no store of a velocity guard gets card data', async () => {
  const out = new Outputs();
  const rules = typicalVelocityRules().concat({
    name: 'note',
    per: 'note',
    counts: 'attempts' as const,
    limit: 1,
    action: 'review',
    windowMs: 1000,
  });
  const guard = new VelocityGuard({ secret: 'a secret of 16 bytes', store: recordingStore(out), rules });
  for (const text of texts) {
    const [number] = cardNumbers;
    await guard.check({ card: { number }, ip: text, subjects: { note: text }, id: text, amount: '1.00' });
  }
  expect(out.of('stored').length).toBe(texts.length);
  expect(out.leaks()).toEqual([]);
});
