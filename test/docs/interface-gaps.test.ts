import { existsSync, readdirSync, readFileSync } from 'node:fs';
import {
  AuthenticationError,
  InvalidRequestError,
  isDecline,
  PaymentDeclinedError,
  PaymentsClient,
  Transact,
  TransactionDeclinedError,
} from 'payments-client';
import { createSandbox } from 'payments-client-sandbox';
import { createTestClient } from 'payments-client-sandbox/testing';
import { describe, expect, it } from 'vitest';
import { Unanswered } from '../../sandbox/src/probe/sender.ts';
import { probeBy } from '../../sandbox/test/probe/support.ts';
import { failureOf } from '../support/failure.ts';
import { checkoutSession, intentParams, paymentIntent, product, sessionParams } from '../support/fixtures.ts';
import { createClient, json, text, useMockService } from '../support/mock-service.ts';

const root = new URL('../../', import.meta.url);
const page = readFileSync(new URL('docs/interface-gaps.md', root), 'utf8');

/** A row of a table of the page. */
interface GapRow {
  readonly number: string;
  /** What the probe needs for an answer; `–` if it cannot answer. */
  readonly probe: string;
  readonly test: string;
  readonly cells: number;
}

const rows = page
  .split('\n')
  .filter((line) => /^\| *G\d/.test(line))
  .map((line): GapRow => {
    const cells = line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim());
    const [number = '', , , , probed = '', test = ''] = cells;
    return { number, probe: probed.replaceAll('`', ''), test, cells: cells.length };
  });

const count = (pattern: RegExp) => Number(pattern.exec(page)?.[1]);

describe('the page of interface gaps', () => {
  it('numbers its rows consecutively', () => {
    expect(rows.map(({ number }) => number)).toEqual(rows.map((_, index) => `G${index + 1}`));
  });

  it('states the number of rows', () => {
    expect(count(/\*\*(\d+) gaps\*\*/)).toBe(rows.length);
    const [named = '', open = ''] = page.split('## Left open without a word');
    expect(count(/(\d+) that it calls "not shown"/)).toBe(named.match(/^\| *G\d/gm)?.length);
    expect(count(/(\d+) more that it leaves open/)).toBe(open.match(/^\| *G\d/gm)?.length);
  });

  it('refers only to existing rows', () => {
    const numbers = rows.map(({ number }) => number);
    expect(numbers).toEqual(expect.arrayContaining(page.match(/\bG\d+\b/g) ?? []));
  });

  it.each(rows)('names an existing test in $number', (row) => {
    expect(row.cells).toBe(6);
    const [, path = ''] = /^`((?:sandbox\/)?test\/[\w./-]+\.test\.ts)`$/.exec(row.test) ?? [];
    expect(path, row.test).not.toBe('');
    expect(existsSync(new URL(path, root)), path).toBe(true);
  });
});

describe('the form of an amount of the form endpoint', () => {
  const guides = ['README.md', ...readdirSync(new URL('docs/', root)).map((name) => `docs/${name}`)];
  const paragraphs = guides
    .filter((path) => /\.(?:md|txt)$/.test(path))
    .flatMap((path) => readFileSync(new URL(path, root), 'utf8').split(/\n\n|\n(?=[|#-]|\d+\. )/));
  /** A chargeback's amount is shown to be a decimal string, and that of `toMinorUnits` is the SDK's own. */
  const isOther = (text: string) => /^\| chargebacks|toMinorUnits\('12\.00', 'USD'\)` converts/.test(text);

  it('is stated with the sentence of the interface that speaks against it', () => {
    const row = page.split('\n').find((line) => line.startsWith('| G82 '));
    expect(row).toContain(
      '"Money amounts are integers. The unit is not shown; amounts are never decimal strings on this interface."',
    );
    expect(row).toContain("`formAmounts: 'integer'`");
  });

  it('is nowhere stated as a fact', () => {
    const stated = paragraphs.filter((text) => /decimal strings?/.test(text) && !isOther(text));
    expect(stated.length).toBeGreaterThan(3);
    expect(stated.filter((text) => !/formAmounts|\(interface-gaps\.md\)/.test(text))).toEqual([]);
  });
});

it('says of each row whether the probe can answer it', async () => {
  const unreachable = () => Promise.reject(new Unanswered('ECONNREFUSED'));
  const { lines } = await probeBy(unreachable, new Set());
  const answered = lines.map(({ id, verdict, detail = '' }) => [
    id,
    verdict === 'not asked' ? detail.replace('needs ', '') : 'reads',
  ]);
  const stated = rows.filter(({ probe }) => probe !== '–').map(({ number, probe }) => [number, probe]);
  expect(stated).toEqual(answered);
});

describe('the SDK sets its own limit where the interface shows none', () => {
  const service = useMockService();
  const sale = { type: 'sale', amount: '12.00', payment_token: 'tok_1' };

  it.each([
    ['address1', 1024],
    ['risk_session_id', 1024],
    ['payment_token', 4096],
    ['cavv', 4096],
    ['xid', 4096],
    ['a_field_that_the_interface_does_not_name', 65_536],
  ])('on the length of %s in a form: %d characters', async (field, max) => {
    service.answers(text('response=1'));
    const { transact } = createClient();
    const result = await transact.submit({ ...sale, [field]: 'x'.repeat(max) });
    expect(result.approved).toBe(true);
    const error = await failureOf(
      transact.submit({ ...sale, [field]: 'x'.repeat(max + 1) }),
      InvalidRequestError,
    );
    const received = `a string of ${max + 1} characters`;
    expect(error.issues).toEqual([{ path: field, expected: `at most ${max} characters`, received }]);
    expect(service.arrivals).toHaveLength(1);
  });
});

describe('the SDK sets no limit where the interface shows none', () => {
  const service = useMockService();
  const by = { operationId: 'order-1' };

  it('on the length of texts, the number of line items and notes, and the size of a request', async () => {
    const many = Array.from({ length: 500 }, (_, index) => index);
    const params = {
      ...sessionParams,
      line_items: many.flatMap(() => sessionParams.line_items),
      client_reference_id: 'x'.repeat(10_000),
      metadata: Object.fromEntries(many.map((index) => [`key_${index}`, 'x'.repeat(1000)])),
    };
    service.answers(json({ code: 'TOO_LARGE' }, { status: 413 }));
    await expect(createClient().checkoutSessions.create(params, by)).rejects.toMatchObject({ status: 413 });
    expect(JSON.parse(service.arrivals[0]?.body ?? '')).toEqual(params);
  });

  it('on the `limit` of a list with cursors', async () => {
    service.answers(json({ data: [], has_more: false }));
    await createClient().products.list({ limit: 5000 });
    expect(service.arrivals[0]?.url.searchParams.get('limit')).toBe('5000');
  });

  it('on the length of a page with cursors, and sends no default `limit`', async () => {
    const data = Array.from({ length: 250 }, (_, index) => product(`prod_${index}`));
    service.answers(json({ data, has_more: false }));
    expect((await createClient().products.list()).items).toHaveLength(250);
    expect(service.arrivals[0]?.url.search).toBe('');
  });

  it('on amounts and quantities below 1, unless it validates', async () => {
    const payments = createClient({ validation: 'off' });
    const lines = sessionParams.line_items.map((line) => ({ ...line, amount: -1, quantity: 0 }));
    const params = { ...sessionParams, line_items: lines };
    service.answers(json({ code: 'TOO_SMALL' }, { status: 400 }));
    await expect(payments.checkoutSessions.create(params, by)).rejects.toMatchObject({ status: 400 });
    const intent = { ...intentParams, amount: 0 };
    await expect(payments.paymentIntents.create(intent, by)).rejects.toMatchObject({ status: 400 });
    expect(service.arrivals.map(({ body }) => JSON.parse(body))).toEqual([params, intent]);
  });

  it('on the case of an intent’s currency', async () => {
    for (const currency of ['usd', 'USD']) {
      service.answers(json(paymentIntent));
      await createClient().paymentIntents.create({ ...intentParams, currency }, by);
      expect(JSON.parse(service.arrivals.at(-1)?.body ?? '')).toMatchObject({ currency });
    }
  });

  it('on the case of a line item’s currency, which is sent in lower case, as the interface shows it', async () => {
    const lines = sessionParams.line_items;
    for (const currency of ['usd', 'USD', 'Usd']) {
      service.answers(json(checkoutSession));
      const line_items = lines.map((line) => ({ ...line, currency }));
      await createClient().checkoutSessions.create(
        { ...sessionParams, line_items, metadata: { currency } },
        by,
      );
      expect(JSON.parse(service.arrivals.at(-1)?.body ?? '')).toMatchObject({
        line_items: lines.map(() => ({ currency: 'usd' })),
        metadata: { currency },
      });
    }
  });
});

describe('the amount of a line item', () => {
  it('is sent unchanged, and is a unit price in the sandbox', async () => {
    const { url, secretKey, fetch } = createSandbox();
    const payments = new PaymentsClient({ baseUrl: url, secretKey, fetch });
    const line = { name: 'Tea', amount: 1200, currency: 'usd' };
    const totalOf = async (quantity: number) => {
      const params = { ...sessionParams, line_items: [{ ...line, quantity }] };
      const session = await payments.checkoutSessions.create(params, { operationId: `order-${quantity}` });
      expect(session.line_items).toMatchObject([{ amount: 1200, quantity }]);
      return session.amount_total;
    };
    expect([await totalOf(1), await totalOf(3)]).toEqual([1200, 3600]);
  });
});

describe('for what the interface does not show of invoices, the sandbox', () => {
  /** A subscription of 9.00, whose renewal after 30 days is declined. */
  async function subscribe() {
    const { payments, sandbox } = createTestClient();
    const price = sandbox.add('price', { unit_amount: 900, currency: 'usd' }).id;
    const payment_settings = { default_payment_method: 'pm_card_fails_on_renewal' };
    const { id } = await payments.subscriptions.create(
      {
        customer: sandbox.add('customer', { payment_settings }).id,
        items: [{ price }],
        collection_method: 'charge_automatically',
      },
      { operationId: 'subscription-1' },
    );
    await sandbox.clock.advance('1 minute');
    const newest = async () => (await payments.invoices.list()).items[0];
    return { payments, sandbox, price, id, newest };
  }

  it('collects the open invoice of a canceled subscription', async () => {
    const { payments, sandbox, id, newest } = await subscribe();
    await sandbox.clock.advance('30 days');
    await payments.subscriptions.cancel(id, { operationId: 'cancel-1' });
    await sandbox.clock.advance('1 day');
    expect(await newest()).toMatchObject({ status: 'open', attempt_count: 2 });
  });

  it('bills changed items from the next period on', async () => {
    const { payments, sandbox, price, id, newest } = await subscribe();
    const items = [{ price, quantity: 3 }];
    await payments.subscriptions.update(id, { items }, { operationId: 'change-1' });
    expect(await newest()).toMatchObject({ status: 'paid', total: 900 });
    await sandbox.clock.advance('30 days');
    expect(await newest()).toMatchObject({ total: 2700 });
  });

  it('collects no uncollectible invoice, and changes its canceled subscription', async () => {
    const { payments, sandbox, id, newest } = await subscribe();
    await sandbox.clock.advance('30 days');
    await sandbox.clock.advance('17 days');
    const invoice = String((await newest())?.id);
    const card = { payment_method: 'pm_card' };
    const another = payments.invoices.updatePaymentMethod(invoice, card, { operationId: 'card-2' });
    await expect(another).rejects.toMatchObject({ status: 409, outcome: 'not_executed' });
    expect(() => sandbox.pay(invoice)).toThrow("which is 'uncollectible'");
    await payments.subscriptions.cancel(id, { operationId: 'cancel-1' });
    const end = { cancel_at_period_end: true };
    const changed = await payments.subscriptions.update(id, end, { operationId: 'change-1' });
    expect(changed).toMatchObject({ status: 'canceled', cancel_at_period_end: true });
  });

  it('moves no money for a credit note, and leaves the rest of an open invoice as it is', async () => {
    const { payments, sandbox } = createTestClient();
    const open = sandbox.add('invoice', { status: 'open' });
    const lines = [{ description: 'a broken cup', amount: 300 }];
    const note = await payments.creditNotes.create({ invoice: open.id, lines }, { operationId: 'note-1' });
    expect(note).toMatchObject({ total: 300, refund: null, amount_refunded: 0 });
    expect(await payments.invoices.retrieve(open.id)).toMatchObject({ amount_remaining: 1200 });
    expect((await payments.refunds.list()).items).toEqual([]);
  });
});

describe('for what the interface does not show of a payment, the SDK', () => {
  const service = useMockService();
  const by = { operationId: 'order-1' };

  it('keeps a client_secret, but has no browser function for it', async () => {
    service.answers(json({ ...paymentIntent, client_secret: 'pi_1_secret_2' }));
    const intent = await createClient().paymentIntents.create(intentParams, by);
    expect(intent.client_secret).toBe('pi_1_secret_2');
    const browserApi = readFileSync(new URL('docs/api-report/browser.api.md', root), 'utf8');
    expect(browserApi).toContain('loadGateway');
    expect(browserApi).not.toMatch(/client_?secret/i);
  });

  it('sends the fields of a payment method unchanged, and pays with any pm_ id', async () => {
    const client = createClient();
    service.answers(json(product('pm_1')));
    await client.paymentMethods.create({ payment_token: 'tok_1' });
    expect(service.arrivals.at(-1)?.url.pathname).toBe('/v1/payment_methods');
    expect(JSON.parse(service.arrivals.at(-1)?.body ?? '')).toEqual({ payment_token: 'tok_1' });
    service.answers(json({ ...paymentIntent, status: 'succeeded', latest_charge_id: 'ch_1' }));
    await client.paymentIntents.confirm('pi_1', { payment_method: 'pm_other' }, by);
    expect(JSON.parse(service.arrivals.at(-1)?.body ?? '')).toEqual({ payment_method: 'pm_other' });
  });

  const html = (status: number) => new Response('<html>No</html>', { status });
  it.each([
    ['400 without a code', () => html(400), 'not_executed'],
    ['451, the last standard status', () => html(451), 'not_executed'],
    ['460 without a code', () => html(460), 'unknown'],
    ['460 with a code', () => json({ code: 'NO' }, { status: 460 }), 'not_executed'],
    ['402 without a readable code', () => html(402), 'unknown'],
    ['402 whose code repeats the status', () => json({ code: 'HTTP_402' }, { status: 402 }), 'unknown'],
    ['402 with a code', () => json({ code: 'NO' }, { status: 402 }), 'not_executed'],
    ['408, whatever its code', () => json({ code: 'NO' }, { status: 408 }), 'unknown'],
    ['409 without a readable code', () => html(409), 'unknown'],
    ['409 with a code', () => json({ code: 'NO' }, { status: 409 }), 'not_executed'],
    ['422 that is not JSON', () => html(422), 'unknown'],
    ['422 of JSON', () => json({ message: 'no' }, { status: 422 }), 'not_executed'],
  ])('maps a %s to its error and outcome', async (_, answer, outcome) => {
    service.answers(answer());
    const call = createClient({ maxRetries: 0 }).paymentIntents.create(intentParams, by);
    await expect(call).rejects.toMatchObject({ outcome });
  });

  it.each([
    ['at the top level', { decline_code: 'do_not_honor' }],
    ['in error', { error: { code: 'CARD_DECLINED', decline_code: 'do_not_honor' } }],
    ['in camel case', { error: { declineCode: 'do_not_honor' } }],
  ])('treats a 402 as a decline, with its code %s', async (_, body) => {
    service.answers(json(body, { status: 402 }));
    const call = createClient().paymentIntents.confirm('pi_1', {}, by);
    const error = await failureOf(call, PaymentDeclinedError);
    expect(error).toMatchObject({ declineCode: 'do_not_honor', outcome: 'not_executed', retryable: false });
    expect(isDecline(error)).toBe(true);
  });

  const formAnswering = (fields: Readonly<Record<string, string>>) => {
    const bodies: string[] = [];
    const transact = new Transact({
      baseUrl: 'https://payments.example.com',
      securityKey: 'key-1',
      fetch: async (request) => {
        bodies.push(await new Response(request.body).text());
        return new Response(new URLSearchParams(fields).toString());
      },
    });
    return { bodies, sale: () => transact.sale(sale, { throwOnDecline: true }) };
  };
  const sale = { amount: '12.00', payment_token: 'tok_1', orderid: 'order-1', first_name: 'Ada' };

  it('treats the message of a failed authentication on the form endpoint as a wrong key', async () => {
    const { sale } = formAnswering({ response: '3', responsetext: 'Authentication Failed' });
    expect(await failureOf(sale(), AuthenticationError)).toMatchObject({ outcome: 'not_executed' });
    const other = formAnswering({ response: '3', responsetext: 'Invalid amount' });
    expect(await failureOf(other.sale(), TransactionDeclinedError)).toMatchObject({ code: 'DECLINED' });
  });

  it('sends unknown fields of a sale unchanged', async () => {
    const { bodies, sale: sell } = formAnswering({ response: '1', transactionid: '1' });
    await sell();
    expect(Object.fromEntries(new URLSearchParams(bodies[0]))).toMatchObject(sale);
  });
});
