/** The parts of a client, and which of its options win over the forms that an interface file knows. */

import { ConfigurationError, type PaymentsClientOptions } from 'payments-client';
import { createJournal } from 'payments-client/journal';
import { memoryStore } from 'payments-client/stores';
import { describe, expect, it } from 'vitest';
import { product, refund, saleParams } from './support/fixtures.ts';
import { createClient, json } from './support/mock-service.ts';

/** What one client sends and reads: a list and a sale. */
async function formsUnder(options: PaymentsClientOptions, amount = '12.00') {
  const requests: Request[] = [];
  const fetch = async (request: Request) => {
    requests.push(request.clone());
    const page = { rows: [product('of_option')], list: [product('of_interface')], has_more: false };
    return json({ ...refund, ...page, response: 1 });
  };
  const payments = createClient({ fetch, ...options });
  const [item] = (await payments.products.list()).items;
  await payments.transact.sale({ ...saleParams, amount });
  const [listed, sold] = requests;
  return {
    item: item?.id,
    path: new URL(listed?.url ?? '').pathname,
    encoding: sold?.headers.get('content-type')?.split(';')[0],
  };
}

describe('an option of the client', () => {
  const known = {
    itemsField: 'list',
    routes: { 'products.list': 'GET /v1/known' },
    formEncoding: 'multipart',
    formAmounts: 'integer',
  } as const;
  const own = {
    itemsField: 'rows',
    routes: { 'products.list': 'GET /v1/own' },
    formEncoding: 'urlencoded',
    formAmounts: 'currency',
  } as const;

  it.each([
    ['none', {}],
    [
      'undefined',
      { itemsField: undefined, routes: undefined, formEncoding: undefined, formAmounts: undefined },
    ],
  ])('is that of the interface where the caller gives %s', async (_what, given) => {
    const forms = { item: 'of_interface', path: '/v1/known', encoding: 'multipart/form-data' };
    expect(await formsUnder({ interface: known, ...given }, '1200')).toEqual(forms);
    // An amount in another form is refused, so the form is that of the interface.
    await expect(formsUnder({ interface: known, ...given })).rejects.toThrow('amount');
  });

  it('takes precedence over that of the interface', async () => {
    const forms = { item: 'of_option', path: '/v1/own', encoding: 'application/x-www-form-urlencoded' };
    expect(await formsUnder({ interface: known, ...own })).toEqual(forms);
  });

  it('adds parameters to those of the interface', async () => {
    const bodies: unknown[] = [];
    const fetch = async (request: Request) => {
      bodies.push(JSON.parse(await request.text()));
      return json(refund);
    };
    const { refunds } = createClient({
      fetch,
      interface: { extraParameters: { 'refunds.create': ['amounts'] } },
      extraParameters: { 'refunds.create': ['reasons'] },
    });
    const params: object = { amounts: 1, charge_id: 'ch_1', reasons: 2 };
    await refunds.create(params as never, { operationId: 'order-1' });
    expect(bodies).toEqual([params]);
  });
});

describe('a client', () => {
  it('has a form endpoint, which is made once, if it has a security key', () => {
    const payments = createClient();
    expect(payments.transact).toBe(payments.transact);
    expect(() => createClient({ securityKey: undefined }).transact).toThrow(ConfigurationError);
  });

  it('has a journal only if its options name one', () => {
    expect(createClient({ journal: createJournal({ store: memoryStore() }) }).journal.open).toBeInstanceOf(
      Function,
    );
    expect(() => createClient().journal).toThrow('Give the client a journal.');
  });
});
