import {
  type Id,
  InvalidRequestError,
  type PaymentsClient,
  ResponseValidationError,
  type UntypedResource,
  unknownField,
} from 'payments-client';
import { describe, expect, expectTypeOf, it } from 'vitest';
import * as z from 'zod';
import { failureOf } from '../../support/failure.ts';
import { product } from '../../support/fixtures.ts';
import { useScriptedService } from '../../support/scripted-service.ts';

const service = useScriptedService();
const { createClient } = service;
const json = (body: unknown) => Response.json(body);
const quiet = { debug() {}, info() {}, warn() {}, error() {} };
const tea = { id: 'prod_1', object: 'product', livemode: false, name: 'Tea', price: { amount: 5 } };

describe('a collection whose fields are not shown', () => {
  it('keeps every field', async () => {
    service.answers(json(tea));
    const found = await createClient().products.retrieve('prod_1');
    expect(found).toEqual(tea);
    expect(unknownField(found, 'name')).toBe('Tea');
  });

  it.each(['id', 'object', 'livemode'])('refuses an object without %s', async (field) => {
    service.answers(json({ ...tea, [field]: undefined }));
    const error = await failureOf(createClient().products.retrieve('prod_1'), ResponseValidationError);
    expect(error.issues).toMatchObject([{ path: field }]);
  });

  it('refuses an id of another kind if its own prefix is shown', async () => {
    const payments = createClient();
    await failureOf(payments.prices.retrieve('pm_1'), InvalidRequestError);
    await failureOf(payments.paymentMethods.delete('price_1'), InvalidRequestError);
    expect(service.arrivals).toHaveLength(0);
    service.answers(json(tea));
    await payments.products.retrieve('price_1');
    expect(service.arrivals).toHaveLength(1);
  });
});

it('has the prefix of its ids in its type', () => {
  type Name = 'prices' | 'paymentMethods' | 'terminals' | 'settlementProfiles';
  type Retrieved<Of extends Name> = ReturnType<PaymentsClient[Of]['retrieve']>;
  type Resource<Kind extends Parameters<typeof idOf>[0]> = UntypedResource<Id<Kind>>;
  const idOf = (kind: 'price' | 'payment_method' | 'terminal' | 'settlement_profile') => kind;
  expectTypeOf<Retrieved<'prices'>>().resolves.toEqualTypeOf<Resource<'price'>>();
  expectTypeOf<Retrieved<'paymentMethods'>>().resolves.toEqualTypeOf<Resource<'payment_method'>>();
  expectTypeOf<Retrieved<'terminals'>>().resolves.toEqualTypeOf<Resource<'terminal'>>();
  expectTypeOf<Retrieved<'settlementProfiles'>>().resolves.toEqualTypeOf<Resource<'settlement_profile'>>();
});

describe.each([
  ['prices', 'price_1', 'pm_1'],
  ['paymentMethods', 'pm_1', 'cus_1'],
  ['terminals', 'tmr_1', 'tmb_1'],
  ['settlementProfiles', 'stlp_1', 'legacy_1'],
] as const)('an object of %s', (name, own, other) => {
  const collection = (validation?: 'warn' | 'off') => createClient({ validation, logger: quiet })[name];
  const page = json({ data: [product(own), product(other)], has_more: false });

  it('is refused in a response when its id has another prefix', async () => {
    service.answers(json(product(other)), page);
    const error = await failureOf(collection().retrieve(own), ResponseValidationError);
    const prefix = own.replace('1', '');
    expect(error.issues).toMatchObject([{ path: 'id', expected: `an id that starts with '${prefix}'` }]);
    expect(error.outcome).toBe('not_an_operation');
    const ofPage = await failureOf(collection().list().toArray({ max: 5 }), ResponseValidationError);
    expect(ofPage.issues).toMatchObject([{ path: 'data[1].id' }]);
  });

  it('passes with another prefix if a schema of the user accepts it, or validation does not refuse it', async () => {
    service.answers(json(product(other)), page, json({ id: other }));
    const open = collection().withSchema(z.looseObject({ id: z.string() }));
    expect(await open.retrieve(own)).toEqual(product(other));
    expect(await open.list().toArray({ max: 5 })).toHaveLength(2);
    for (const validation of ['warn', 'off'] as const)
      expect(await collection(validation).retrieve(own)).toEqual({ id: other });
  });
});

it('reports a created object with another prefix as executed', async () => {
  service.answers(json({ id: 'pm_1' }));
  const { prices } = createClient();
  const operation = { operationId: 'price-1' };
  for (const call of [prices.create({}, operation), prices.update('price_1', {}, operation)])
    expect(await failureOf(call, ResponseValidationError)).toMatchObject({ outcome: 'executed' });
});

/** Each collection with this schema of a user. */
function collectionsWith<T>(schema: Parameters<PaymentsClient['products']['withSchema']>[0] & z.ZodType<T>) {
  const p = createClient();
  return {
    products: p.products.withSchema(schema),
    prices: p.prices.withSchema(schema),
    paymentMethods: p.paymentMethods.withSchema(schema),
    terminals: p.terminals.withSchema(schema),
    settlementProfiles: p.settlementProfiles.withSchema(schema),
    apiKeys: p.apiKeys.withSchema(schema),
    webhookEndpoints: p.webhookEndpoints.withSchema(schema),
    accounts: p.accounts.withSchema(schema),
    connections: p.connections.withSchema(schema),
    accountLinks: p.accountLinks.withSchema(schema),
  };
}

const shouted = z.object({ id: z.string(), name: z.string().transform((name) => name.toUpperCase()) });

describe('a schema of the user', () => {
  it.each(Object.entries(collectionsWith(shouted)))('decides the items of %s', async (_name, collection) => {
    service.answers(json({ data: [{ id: 'x_1', name: 'Tea' }], has_more: false }));
    expect(await collection.list().toArray({ max: 10 })).toEqual([{ id: 'x_1', name: 'TEA' }]);
    service.answers(json({ data: [{ id: 'x_1' }], has_more: false }));
    const error = await failureOf(collection.list().toArray({ max: 10 }), ResponseValidationError);
    expect(error.issues).toMatchObject([{ path: 'data[0].name' }]);
  });

  it('does not change the collection of the client', async () => {
    service.answers(json(tea));
    const { products } = createClient();
    const own = await products.withSchema(shouted).create({ name: 'Tea' });
    expectTypeOf(own).toEqualTypeOf<{ id: string; name: string }>();
    expect(own).toEqual({ id: 'prod_1', name: 'TEA' });
    expect(await products.retrieve('prod_1')).toEqual(tea);
  });
});
