import {
  type Id,
  InvalidRequestError,
  type PaymentsClient,
  ResponseValidationError,
  type StandardSchema,
  type UntypedResource,
  unknownField,
} from 'payments-client';
import { describe, expect, expectTypeOf, it } from 'vitest';
import * as z from 'zod';
import * as mini from 'zod/mini';
import { failureOf } from '../support/failure.ts';
import { product } from '../support/fixtures.ts';
import { createClient, json, useMockService } from '../support/mock-service.ts';

const service = useMockService();
const quiet = { debug() {}, info() {}, warn() {}, error() {} };
const tea = { id: 'prod_1', object: 'product', livemode: false, name: 'Tea', price: { amount: 5 } };
const ownSchema = z.object({ id: z.string(), name: z.string().transform((name) => name.toUpperCase()) });

/** A schema that is not from zod. */
const handMade: StandardSchema<{ id: string; size: number }> = {
  '~standard': {
    version: 1,
    validate: (value) => ({
      value: { id: String(unknownField(Object(value), 'id')), size: JSON.stringify(value).length },
    }),
  },
};

const throwingSchema: StandardSchema<unknown> = {
  '~standard': {
    version: 1,
    validate: () => {
      throw new Error('broken schema');
    },
  },
};

const asyncSchema: StandardSchema<unknown> = {
  '~standard': { version: 1, validate: async (value) => ({ value }) },
};

describe('a collection whose fields are not shown', () => {
  it('keeps every field', async () => {
    service.answers(json(tea));
    const product = await createClient().products.retrieve('prod_1');
    expect(product).toEqual(tea);
    expect(unknownField(product, 'name')).toBe('Tea');
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
  type Retrieved<Name extends 'prices' | 'paymentMethods' | 'terminals' | 'settlementProfiles'> = ReturnType<
    PaymentsClient[Name]['retrieve']
  >;
  expectTypeOf<Retrieved<'prices'>>().resolves.toEqualTypeOf<UntypedResource<Id<'price'>>>();
  expectTypeOf<Retrieved<'paymentMethods'>>().resolves.toEqualTypeOf<UntypedResource<Id<'payment_method'>>>();
  expectTypeOf<Retrieved<'terminals'>>().resolves.toEqualTypeOf<UntypedResource<Id<'terminal'>>>();
  expectTypeOf<Retrieved<'settlementProfiles'>>().resolves.toEqualTypeOf<
    UntypedResource<Id<'settlement_profile'>>
  >();
});

describe.each([
  ['prices', 'price_1', 'pm_1'],
  ['paymentMethods', 'pm_1', 'cus_1'],
  ['terminals', 'tmr_1', 'tmb_1'],
  ['settlementProfiles', 'stlp_1', 'legacy_1'],
] as const)('an object of %s', (name, own, other) => {
  const collection = (validation?: 'warn' | 'off') => createClient({ validation, logger: quiet })[name];
  const page = (id: string) => json({ data: [product(own), product(id)], has_more: false });

  it('is refused in a response when its id has another prefix', async () => {
    service.answers(json(product(other)), page(other));
    const error = await failureOf(collection().retrieve(own), ResponseValidationError);
    const prefix = own.replace('1', '');
    expect(error.issues).toMatchObject([{ path: 'id', expected: `an id that starts with '${prefix}'` }]);
    expect(error.outcome).toBe('not_executed');
    const ofPage = await failureOf(collection().list().toArray({ max: 5 }), ResponseValidationError);
    expect(ofPage.issues).toMatchObject([{ path: 'data[1].id' }]);
  });

  it('passes with another prefix if a schema of the user accepts it', async () => {
    service.answers(json(product(other)), page(other));
    const open = collection().withSchema(z.looseObject({ id: z.string() }));
    expect(await open.retrieve(own)).toEqual(product(other));
    expect(await open.list().toArray({ max: 5 })).toHaveLength(2);
  });

  it.each(['warn', 'off'] as const)('passes with another prefix under validation %s', async (validation) => {
    service.answers(json({ id: other }));
    expect(await collection(validation).retrieve(own)).toEqual({ id: other });
  });
});

it('reports a created object with another prefix as executed', async () => {
  service.answers(json({ id: 'pm_1' }));
  const { prices } = createClient();
  const operation = { operationId: 'price-1' };
  for (const call of [prices.create({}, operation), prices.update('price_1', {}, operation)]) {
    expect(await failureOf(call, ResponseValidationError)).toMatchObject({ outcome: 'executed' });
  }
});

describe('withSchema', () => {
  it('returns the output of the schema, with its type', async () => {
    const products = createClient().products.withSchema(ownSchema);
    service.answers(json(tea), json({ data: [tea], has_more: false }), json(tea));
    const product = await products.retrieve('prod_1');
    expectTypeOf(product).toEqualTypeOf<{ id: string; name: string }>();
    expect(product).toEqual({ id: 'prod_1', name: 'TEA' });
    expect(await products.list().toArray({ max: 5 })).toEqual([{ id: 'prod_1', name: 'TEA' }]);
    expect(await products.create({ name: 'Tea' })).toEqual({ id: 'prod_1', name: 'TEA' });
  });

  it('accepts a schema of any Standard Schema library', async () => {
    service.answers(json(tea));
    const sized = await createClient().prices.withSchema(handMade).retrieve('price_1');
    expectTypeOf(sized).toEqualTypeOf<{ id: string; size: number }>();
    expect(sized).toEqual({ id: 'prod_1', size: JSON.stringify(tea).length });
    const small = createClient().accounts.withSchema(mini.looseObject({ id: mini.string() }));
    expect(await small.retrieve('acct_1')).toEqual(tea);
  });

  it('reports a refusal of the schema with its path, and a create as executed', async () => {
    service.answers(json({ ...tea, name: 5 }));
    const products = createClient().products.withSchema(ownSchema);
    const error = await failureOf(products.create({ name: 'Tea' }), ResponseValidationError);
    expect(error.outcome).toBe('executed');
    expect(error.issues).toMatchObject([{ path: 'name', expected: 'a value that your schema accepts' }]);
  });

  it.each([
    ['throws', throwingSchema],
    ['returns a promise', asyncSchema],
  ])('reports a create as executed even if the schema %s', async (_what, schema) => {
    service.answers(json(tea));
    const error = await failureOf(
      createClient().products.withSchema(schema).create({}),
      ResponseValidationError,
    );
    expect(error).toMatchObject({ outcome: 'executed', body: tea });
  });

  it('does not change the collection of the client', async () => {
    service.answers(json(tea));
    const payments = createClient();
    payments.products.withSchema(ownSchema);
    expect(await payments.products.retrieve('prod_1')).toEqual(tea);
  });
});

describe('every collection whose fields are not shown accepts a schema of the user', () => {
  const payments = createClient();
  it.each([
    ['products', payments.products.withSchema(ownSchema)],
    ['prices', payments.prices.withSchema(ownSchema)],
    ['paymentMethods', payments.paymentMethods.withSchema(ownSchema)],
    ['terminals', payments.terminals.withSchema(ownSchema)],
    ['settlementProfiles', payments.settlementProfiles.withSchema(ownSchema)],
    ['apiKeys', payments.apiKeys.withSchema(ownSchema)],
    ['webhookEndpoints', payments.webhookEndpoints.withSchema(ownSchema)],
    ['accounts', payments.accounts.withSchema(ownSchema)],
    ['connections', payments.connections.withSchema(ownSchema)],
    ['accountLinks', payments.accountLinks.withSchema(ownSchema)],
  ])('%s', async (_name, collection) => {
    service.answers(json({ data: [{ id: 'x_1', name: 'Tea' }], has_more: false }));
    expect(await collection.list().toArray({ max: 10 })).toEqual([{ id: 'x_1', name: 'TEA' }]);
    service.answers(json({ data: [{ id: 'x_1' }], has_more: false }));
    const error = await failureOf(collection.list().toArray({ max: 10 }), ResponseValidationError);
    expect(error.issues).toMatchObject([{ path: 'data[0].name' }]);
  });
});
