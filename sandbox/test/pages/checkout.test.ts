import { testCards } from 'payments-client-sandbox';
import { describe, expect, it, onTestFinished } from 'vitest';
import { pageOf } from '../../../test/support/sandbox.ts';
import { buyer, card, show, start, submit, typesOf, urls } from './checkout/support.ts';

it('has an address under that of the sandbox, whether it listens or not', async () => {
  const { sandbox, session } = start();
  expect(await sandbox.fetch(new Request(pageOf(sandbox, session.id)))).toMatchObject({ status: 200 });
  await sandbox.listen();
  onTestFinished(() => sandbox.close());
  expect(pageOf(sandbox, session.id)).toMatch(sandbox.url);
  expect(await fetch(pageOf(sandbox, session.id))).toMatchObject({ status: 200 });
});

describe('the page of a session', () => {
  it('shows the lines, the total and the links', async () => {
    const { sandbox } = start();
    const line = { id: 'li_1', fulfillment_type: 'digital', tip_eligible: false, currency: 'USD' } as const;
    const session = sandbox.add('checkout_session', {
      ...urls,
      line_items: [
        { ...line, name: 'Tea', amount: 1250, quantity: 2 },
        { ...line, name: 'Cup', amount: 990, quantity: 1 },
      ],
      amount_total: 3490,
    });
    const response = await show(sandbox, session);
    const page = await response.text();
    expect(response.status).toBe(200);
    for (const text of [
      '2 × $12.50',
      '$25.00',
      '$9.90',
      'Pay $34.90',
      'href="https://shop.example/cart"',
      'January 2, 2026',
    ]) {
      expect(page).toContain(text);
    }
  });

  it.each([
    ['USD', 'Pay $12.00'],
    ['EUR', 'Pay €12.00'],
    ['JPY', 'Pay ¥1,200'],
    ['KWD', 'Pay KWD 1.200'],
  ])('writes an amount in %s as its currency does', async (currency, text) => {
    const { sandbox, session } = start({ currency, amount_total: 1200 });
    const page = await (await show(sandbox, session)).text();
    expect(page.replaceAll('\u00a0', ' ')).toContain(text);
  });

  it('is in English, whatever the locale of the session and the browser', async () => {
    const { sandbox, session } = start({ locale: 'de' });
    const page = await (await show(sandbox, session, { 'accept-language': 'fr' })).text();
    expect(page).toContain('<html lang="en">');
    for (const text of ['Checkout', 'Pay $12.00', 'Card number']) expect(page).toContain(text);
  });

  it('offers all countries by name', async () => {
    const { collect_config } = start().session;
    const { sandbox, session } = start({ collect_config: { ...collect_config, address: 'required' } });
    const page = await (await show(sandbox, session)).text();
    const names = [...page.matchAll(/<option value="[A-Z]{2}">([^<]+)/g)].map(([, name]) => name);
    expect(names).toHaveLength(249);
    expect(names.slice(0, 3)).toEqual(['Afghanistan', 'Åland Islands', 'Albania']);
  });

  it.each(['javascript:alert(1)', 'data:text/html,x', 'nonsense', null])(
    'never links to %s',
    async (address) => {
      const { sandbox, session } = start({ success_url: address, cancel_url: address });
      expect(await (await show(sandbox, session)).text()).not.toContain(address ?? 'Cancel');
      const paid = await submit(sandbox, session, { ...buyer, ...card });
      expect(paid.headers.get('location')).toBe(`/checkout/${session.id}`);
      const after = await (await show(sandbox, session)).text();
      expect(after).toContain('Your payment is complete');
      expect(after).not.toContain(address ?? 'Go to');
    },
  );

  it('shows a paid session as paid, with a link to the shop', async () => {
    const { sandbox, session } = start();
    sandbox.pay(session.id);
    const page = await (await show(sandbox, session)).text();
    for (const text of [
      'Your payment is complete',
      'Go to shop.example',
      'href="https://shop.example/thanks?a=1&amp;b=2"',
    ])
      expect(page).toContain(text);
    expect(page).not.toContain('<form');
  });

  it('shows a session that the shop expired as expired', async () => {
    const { sandbox, session } = start();
    const headers = { authorization: `Bearer ${sandbox.secretKey}`, 'idempotency-key': 'end' };
    const expire = `${sandbox.url}/v1/checkout/sessions/${session.id}/expire`;
    await sandbox.fetch(new Request(expire, { method: 'POST', headers }));
    const page = await (await show(sandbox, session)).text();
    expect(page).toContain('has expired');
    expect(page).toContain(`href="${urls.cancel_url}"`);
    expect((await submit(sandbox, session, { ...buyer, ...card })).status).toBe(410);
    expect(typesOf(sandbox)).not.toContain('payment_intent.created');
  });

  it('shows the price, the period and the dates of a subscription, at which the sandbox renews', async () => {
    const { sandbox, session } = start({ mode: 'subscription' });
    const page = await (await show(sandbox, session)).text();
    for (const text of [
      '$12.00 every 30 days, until you cancel',
      'today, and again on January 31, 2026',
      'Subscribe for $12.00',
    ])
      expect(page).toContain(text);
    sandbox.pay(session.id);
    const { data } = sandbox.events.find(({ type }) => type === 'subscription.created') ?? {};
    expect(data?.object).toMatchObject({ current_period_end: Date.UTC(2026, 0, 31) / 1000 });
    const once = start();
    expect(await (await show(once.sandbox, once.session)).text()).not.toContain('every');
  });

  it('tells the browser what each field of a card is', async () => {
    const { sandbox, session } = start();
    const page = await (await show(sandbox, session)).text();
    const input = (name: string) => new RegExp(`<input id="${name}"[^>]*>`).exec(page)?.[0] ?? '';
    for (const [name = '', autocomplete, key] of [
      ['ccnumber', 'cc-number', 'next'],
      ['ccexp', 'cc-exp', 'next'],
      ['cvv', 'cc-csc', 'go'],
    ])
      for (const part of [
        `autocomplete="${autocomplete}"`,
        'inputmode="numeric"',
        `enterkeyhint="${key}"`,
        'spellcheck="false"',
      ])
        expect(input(name)).toContain(part);
    expect(input('email')).toMatch(/type="email".*autocapitalize="none"/s);
    expect(input('name')).toContain('autocapitalize="words"');
  });
});

const address = {
  line1: '1 Tea Street',
  city: 'Springfield',
  state: 'IL',
  postal_code: '62701',
  country: 'US',
};
const billing = Object.fromEntries(
  Object.entries(address).map(([name, value]) => [`billing_${name}`, value]),
);

describe('a payment', () => {
  const askingForPhone = {
    address: 'hidden',
    email: 'required',
    name: 'required',
    phone: 'required',
    require_full_billing_address: false,
    require_phone: false,
    require_shipping_address: false,
    wallet_billing_mode: 'min',
  } as const;

  it('completes the session, redirects to the shop, and happens once', async () => {
    const { sandbox, session } = start();
    const paid = await submit(sandbox, session, { ...buyer, ...card });
    expect([paid.status, paid.headers.get('location')]).toEqual([303, urls.success_url]);
    const again = await submit(sandbox, session, { ...buyer, ...card });
    expect([again.status, again.headers.get('location')]).toEqual([303, urls.success_url]);
    const after = sandbox.get('checkout_session', session.id);
    expect(after).toMatchObject({
      status: 'complete',
      payment_status: 'paid',
      customer_email: 'ada@example.com',
    });
    expect(typesOf(sandbox).filter((type) => /succeeded|completed/.test(type))).toEqual([
      'payment_intent.succeeded',
      'checkout.session.completed',
    ]);
    expect(sandbox.requests.map(({ operation, status }) => [operation, status])).toEqual([
      ['checkout.pay', 303],
      ['checkout.pay', 303],
    ]);
  });

  it.each([
    ['https://shop.example/名前', 'https://shop.example/%E5%90%8D%E5%89%8D'],
    ['https://münchen.example/', 'https://xn--mnchen-3ya.example/'],
    ['https://shop.example/a\r\nset-cookie:b', 'https://shop.example/aset-cookie:b'],
    ['https://shop.example/"quoted"', 'https://shop.example/%22quoted%22'],
  ])('redirects to %j, which a header cannot hold unescaped', async (success_url, location) => {
    const { sandbox, session } = start({ success_url });
    const paid = await submit(sandbox, session, { ...buyer, ...card });
    expect([paid.status, paid.headers.get('location')]).toEqual([303, location]);
  });

  it('stores the e-mail address of the payment, not of a declined attempt', async () => {
    const { sandbox, session } = start();
    const wrong = { ...card, email: 'ada@exmaple.com', ccnumber: testCards.doNotHonor.number };
    await submit(sandbox, session, { ...buyer, ...wrong });
    expect(sandbox.get('checkout_session', session.id)).toMatchObject({ customer_email: null });
    await submit(sandbox, session, { ...buyer, ...card });
    expect(sandbox.get('checkout_session', session.id)).toMatchObject({ customer_email: buyer.email });
  });

  it('keeps the e-mail address that the shop set', async () => {
    const { sandbox, session } = start({ customer_email: 'shop@example.com' });
    expect(await (await show(sandbox, session)).text()).toContain('value="shop@example.com"');
    await submit(sandbox, session, { ...buyer, ...card });
    const after = sandbox.get('checkout_session', session.id);
    expect(after).toMatchObject({ payment_status: 'paid', customer_email: 'shop@example.com' });
  });

  it('submitted twice at once is one payment', async () => {
    const { sandbox, session } = start();
    const both = await Promise.all([card, card].map((one) => submit(sandbox, session, { ...buyer, ...one })));
    expect(both.map(({ status }) => status)).toEqual([303, 303]);
    expect(typesOf(sandbox).filter((type) => type === 'payment_intent.succeeded')).toHaveLength(1);
  });

  it.each([
    ['doNotHonor', 'do_not_honor', 'Your card was declined. Try another card.'],
    ['insufficientFunds', 'insufficient_funds', 'insufficient funds'],
    ['expiredCard', 'expired_card', 'has expired'],
    ['stolenCard', 'stolen_card', 'Your card was declined. Try another card.'],
    ['processingError', 'processing_error', 'you were not charged'],
  ] as const)(
    'with the test card %s is declined, and another card succeeds',
    async (name, decline_code, text) => {
      const { sandbox, session } = start();
      const declined = await submit(sandbox, session, {
        ...buyer,
        ...card,
        ccnumber: testCards[name].number,
      });
      const page = await declined.text();
      expect(declined.status).toBe(402);
      expect(page).toContain(text);
      expect(page).toContain('<title>Error: ');
      expect(page).toContain('value="Ada Augusta Lovelace"');
      expect(page).not.toMatch(/stolen/i);
      const { payment_intent_id, status } = sandbox.get('checkout_session', session.id) ?? {};
      expect(status).toBe('open');
      const intent = sandbox.get('payment_intent', payment_intent_id ?? '');
      expect(sandbox.get('charge', intent?.latest_charge_id ?? '')).toMatchObject({
        status: 'failed',
        decline_code,
      });
      expect(typesOf(sandbox)).toContain('payment_intent.payment_failed');
      expect((await submit(sandbox, session, { ...buyer, ...card })).status).toBe(303);
      expect(sandbox.get('checkout_session', session.id)).toMatchObject({
        status: 'complete',
        payment_intent_id,
      });
    },
  );

  it('with a test number that another service declines is refused, with the card to use instead', async () => {
    const { sandbox, session } = start();
    const ccnumber = '4000 0000 0000 9995';
    const page = await (await submit(sandbox, session, { ...buyer, ...card, ccnumber })).text();
    expect(page).toContain('Use testCards.insufficientFunds (9999004000000022).');
    expect(page).not.toContain(ccnumber);
    expect(sandbox.get('checkout_session', session.id)).toMatchObject({ payment_intent_id: null });
  });

  it('with an expired card is declined', async () => {
    const { sandbox, session } = start();
    const declined = await submit(sandbox, session, { ...buyer, ...card, ccexp: '12/25' });
    expect([declined.status, await declined.text()]).toEqual([402, expect.stringContaining('has expired')]);
  });

  it.each([
    [{ ccnumber: '' }, 'ccnumber'],
    [{ ccnumber: '4111111111111112' }, 'ccnumber'],
    [{ ccexp: '' }, 'ccexp'],
    [{ ccexp: '13/30' }, 'ccexp'],
    [{ cvv: '' }, 'cvv'],
    [{ cvv: '12' }, 'cvv'],
    [{ cvv: '1234' }, 'cvv'],
    [{ ccnumber: '3782 822463 10005', cvv: '123' }, 'cvv'],
    [{ email: 'ada' }, 'email'],
    [{ name: ' ' }, 'name'],
    [{ phone: 'none' }, 'phone'],
    [{ billing_country: 'Germany' }, 'billing_country'],
    [{ billing_state: '' }, 'billing_state'],
  ])('with %j is rejected with an error at the field %s', async (wrong, name) => {
    const { sandbox, session } = start({
      collect_config: { ...askingForPhone, require_full_billing_address: true },
    });
    const answers = { ...buyer, phone: '+1 202 555 0100', ...billing, ...card };
    const response = await submit(sandbox, session, { ...answers, ...wrong });
    const page = await response.text();
    expect(response.status).toBe(422);
    expect([...page.matchAll(/aria-invalid="true"/g)]).toHaveLength(1);
    const [input = ''] = new RegExp(`<(?:input|select) id="${name}"[^>]*>`).exec(page) ?? [];
    expect(input).toContain('aria-invalid="true"');
    expect(input).toContain(`${name}-problem`);
    expect(typesOf(sandbox)).not.toContain('payment_intent.created');
  });

  it('is rejected for an expired session, and charges nothing', async () => {
    const { sandbox, session } = start();
    await sandbox.clock.advance('24 hours');
    const shown = await show(sandbox, session);
    expect([shown.status, await shown.text()]).toEqual([200, expect.stringContaining('has expired')]);
    const late = await submit(sandbox, session, { ...buyer, ...card });
    expect([late.status, await late.text()]).toEqual([410, expect.stringContaining(urls.cancel_url)]);
    expect(typesOf(sandbox)).toEqual(['checkout.session.created', 'checkout.session.expired']);
  });

  it('is taken for an expired session with expiredSessions: payable', async () => {
    const { sandbox, session } = start({}, { expiredSessions: 'payable' });
    await sandbox.clock.advance('24 hours');
    expect(sandbox.get('checkout_session', session.id)?.status).toBe('expired');
    expect(await (await show(sandbox, session)).text()).toContain('Pay $12.00');
    expect((await submit(sandbox, session, { ...buyer, ...card })).status).toBe(303);
    expect(sandbox.get('checkout_session', session.id)).toMatchObject({
      status: 'complete',
      payment_status: 'paid',
    });
    expect(typesOf(sandbox).at(-1)).toBe('checkout.session.completed');
  });

  it("of a subscription with hidden fields belongs to the shop's customer", async () => {
    const { sandbox } = start();
    const { id: customer } = sandbox.add('customer', { first_name: 'Grace' });
    const session = sandbox.add('checkout_session', {
      ...urls,
      mode: 'subscription',
      customer,
      collect_config: { ...askingForPhone, name: 'hidden', email: 'hidden', phone: 'hidden' },
    });
    expect((await submit(sandbox, session, card)).status).toBe(303);
    expect(sandbox.events.find(({ type }) => type === 'subscription.created')?.data.object).toMatchObject({
      customer,
    });
    expect(sandbox.get('customer', customer)).toMatchObject({ first_name: 'Grace' });
    expect(typesOf(sandbox).filter((type) => type === 'customer.created')).toHaveLength(1);
  });

  it('of an unknown or expired session charges nothing', async () => {
    const { sandbox, session } = start();
    const unknown = await submit(sandbox, { ...session, id: 'cs_nobody' }, { ...buyer, ...card });
    expect([unknown.status, await unknown.text()]).toEqual([
      404,
      expect.stringContaining('checkout does not exist'),
    ]);
    const paying = submit(sandbox, session, { ...buyer, ...card });
    sandbox.reset();
    expect((await paying).status).toBe(404);
    expect(sandbox.events).toEqual([]);
  });
});
