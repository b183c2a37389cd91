/** A journal without personal data: what it keeps of a call and of its result. */

import {
  isRecorded,
  OperationMismatchError,
  OperationUnresolvedError,
  type PaymentsClientOptions,
  ServerError,
} from 'payments-client';
import { createJournal } from 'payments-client/journal';
import { memoryStore } from 'payments-client/stores';
import { describe, expect, it } from 'vitest';
import { listOpen, options, recorded } from '../../journal/shop.ts';
import { everyMethod } from '../../support/every-method.ts';
import { failureOf } from '../../support/failure.ts';
import { checkoutSession, refund as sampleRefund, sessionParams } from '../../support/fixtures.ts';
import { json, text } from '../../support/mock-service.ts';
import { plannedMethods, resultKinds } from '../../support/planned-methods.ts';
import { validObject } from '../../support/sample-objects.ts';
import { useScriptedService } from '../../support/scripted-service.ts';

const service = useScriptedService();

function start(repeats: PaymentsClientOptions['repeats'] = 'recorded') {
  const store = memoryStore();
  const journal = createJournal({ store, keepsPersonalData: false });
  const payments = service.createClient({ repeats, journal });
  /** Returns all that the store has. */
  const written = async () => {
    const { claims } = await store.open({ space: 'operation', limit: 10 });
    return claims.map(({ data }) => data).join();
  };
  return { store, payments, written };
}

const failed = () => json({}, { status: 500 });
const address = {
  line1: '7 Elm-canary',
  city: 'City-canary',
  postal_code: 'Zip-canary',
  custom: 'Door-canary',
};
const buyer = {
  first_name: 'Ada-canary',
  last_name: 'Lovelace-canary',
  company: 'Engines-canary',
  email: 'ada-canary@shop.example',
  phone: '+1 555 canary',
  address1: '7 Elm-canary',
  address2: 'Flat-canary',
  city: 'City-canary',
  state: 'State-canary',
  zip: 'Zip-canary',
  country: 'Country-canary',
  ipaddress: 'Ip-canary',
};

describe.each(Object.entries(buyer))('a sale with %s', (name, value) => {
  it('is kept as a digest, with what looks it up', async () => {
    const { payments, written } = start();
    service.answers(failed());
    const sale = { amount: '12.00', payment_token: 'tok_1', orderid: '1042', [name]: value };
    await failureOf(payments.transact.sale(sale, options), ServerError);
    const lookUp = { amount: '12.00', orderid: '1042' };
    expect(await listOpen(payments)).toMatchObject([{ digestOnly: 'personal_data', lookUp }]);
    expect(await written()).not.toContain('canary');
  });
});

describe('a call of the JSON API', () => {
  const withEmail = { ...sessionParams, customer_email: buyer.email };

  it('with an address is not resumed, says why, and is sent by the call itself', async () => {
    const { payments, written } = start();
    service.answers(failed(), json({ ...checkoutSession, customer_email: buyer.email }));
    await failureOf(payments.checkoutSessions.create(withEmail, options), ServerError);
    const [open] = await listOpen(payments);
    expect(open).toMatchObject({ digestOnly: 'personal_data' });
    const error = await failureOf(open?.resume() ?? Promise.resolve(), OperationUnresolvedError);
    expect(error.message).toContain('since they hold personal data, which this journal leaves out');
    expect(await written()).not.toContain('canary');
    const first = await payments.checkoutSessions.create(withEmail, options);
    expect(first.customer_email).toBe(buyer.email);
    const again = await payments.checkoutSessions.create(withEmail, options);
    expect(again).toEqual(recorded({ ...first, customer_email: null }));
    const other = { ...withEmail, customer_email: 'bob@shop.example' };
    await failureOf(payments.checkoutSessions.create(other, options), OperationMismatchError);
    expect(service.arrivals).toHaveLength(2);
  });

  it('without one is resumed, and what a page asks for is none', async () => {
    const { payments } = start();
    service.answers(failed(), json(checkoutSession));
    const params = {
      ...sessionParams,
      collect_config: { email: 'required', phone: 'hidden', address: 'hidden' },
    } as const;
    await failureOf(payments.checkoutSessions.create(params, options), ServerError);
    const [open] = await listOpen(payments);
    expect(open).toMatchObject({ digestOnly: undefined });
    expect(await open?.resume()).toMatchObject({ id: checkoutSession.id });
    expect(service.arrivals[1]?.body).toBe(service.arrivals[0]?.body);
  });

  it('has no address in its recorded result, at any depth, and all else of it', async () => {
    const { payments, store } = start();
    const result = {
      ...sampleRefund,
      billing_address: address,
      shipping: { name: 'Ada-canary', address },
      metadata: { order: '1042' },
    };
    service.answers(json(result));
    await payments.refunds.create({ charge_id: 'ch_1' }, options);
    const again = await payments.refunds.create({ charge_id: 'ch_1' }, options);
    const none = { line1: null, city: null, postal_code: null, custom: null };
    expect(again).toEqual(
      recorded({ ...result, billing_address: none, shipping: { name: null, address: none } }),
    );
    const { data } = await store.claim('operation/pc1:refunds.create:order-1042', 1);
    expect(data).not.toContain('canary');
  });
});

it('a recorded sale has no address in its result', async () => {
  const { payments } = start();
  service.answers(text('response=1&transactionid=7&email=ada%40shop.example&first_name=Ada&note=kept'));
  const sale = { amount: '12.00', payment_token: 'tok_1' };
  expect((await payments.transact.sale(sale, options)).fields).toMatchObject({ email: 'ada@shop.example' });
  const fields = { response: '1', transactionid: '7', email: '', first_name: '', note: 'kept' };
  expect((await payments.transact.sale(sale, options)).fields).toEqual(fields);
});

describe("the user's own data", () => {
  const metadata = { ...buyer, shipping: 'by hand' };

  it('is kept in the parameters, so that the call is resumed', async () => {
    const { payments } = start();
    service.answers(failed(), json(sampleRefund));
    const create = payments.paymentIntents.create({ amount: 1200, currency: 'usd', metadata }, options);
    await failureOf(create, ServerError);
    const [open] = await listOpen(payments);
    expect(open).toMatchObject({ digestOnly: undefined });
    await open?.resume();
    expect(service.arrivals[1]?.body).toBe(service.arrivals[0]?.body);
  });

  it('is kept in the result', async () => {
    const { payments } = start();
    const result = { ...checkoutSession, metadata, customer_email: buyer.email };
    service.answers(json(result));
    await payments.checkoutSessions.create(sessionParams, options);
    const again = await payments.checkoutSessions.create(sessionParams, options);
    expect(again).toEqual(recorded({ ...result, customer_email: null }));
  });
});

it('a recorded customer has texts where the interface has them', async () => {
  const { payments } = start();
  const customer = { ...validObject('customer'), ...buyer, phone: 15550100, shipping: address };
  const request = { method: 'POST', path: '/v1/customers' } as const;
  service.answers(json({ data: customer }));
  await payments.request(request, options);
  const none = { line1: null, city: null, postal_code: null, custom: null };
  expect(await payments.request(request, options)).toMatchObject({
    data: { first_name: '', last_name: '', email: '', phone: '', company: null, zip: null, shipping: none },
  });
});

function isMoneyMethod(name: string): name is keyof typeof resultKinds {
  return Object.hasOwn(resultKinds, name);
}

/** Returns a copy with each personal field in each of its objects, but for fields that it has. */
function withBuyers(value: unknown, name = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => withBuyers(item));
  if (typeof value !== 'object' || value === null) return value;
  const own = Object.entries(value).map(([field, item]) => [field, withBuyers(item, field)]);
  const more = name === 'metadata' ? buyer : { ...buyer, billing_address: address, shipping: { address } };
  const email = 'customer_email' in value ? { customer_email: buyer.email } : {};
  return { ...more, ...Object.fromEntries(own), ...email };
}

describe('a result with personal data in each place', () => {
  it('is tested of each method that has a journal', () => {
    const { payments } = start();
    expect(plannedMethods(payments)).toEqual(Object.keys(resultKinds));
  });

  describe.each(Object.keys(resultKinds).filter(isMoneyMethod))('of %s', (method) => {
    const result = withBuyers({ metadata: {}, ...validObject(resultKinds[method]) });

    it.each(['recorded', 'present'] as const)(
      'is returned by a repeat, with repeats: %s',
      async (repeats) => {
        const { payments } = start(repeats);
        // The object cannot be retrieved.
        service.answers(json(result), json({}, { status: 404 }));
        const call = () => everyMethod[method](payments, options);
        expect(await call()).toEqual(result);
        const again = await call();
        expect(isRecorded(again)).toBe(true);
        expect(again).toMatchObject({ id: Object(result).id, metadata: Object(result).metadata });
        expect(service.arrivals.filter(({ method }) => method === 'POST')).toHaveLength(1);
      },
    );
  });

  it('is returned by withResponse of a repeat', async () => {
    const { payments } = start('present');
    const result = withBuyers(validObject('checkout_session'));
    service.answers(json(result));
    await payments.checkoutSessions.create(sessionParams, options);
    const { data } = await payments.checkoutSessions.create(sessionParams, options).withResponse();
    expect(data).toMatchObject({ id: Object(result).id, customer_email: null });
  });
});
