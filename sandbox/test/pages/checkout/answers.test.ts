import * as fc from 'fast-check';
import { unlisted } from 'payments-client';
import { describe, expect, it } from 'vitest';
import { bySize } from '../../../../test/support/size.ts';
import { buyer, card, type Session, show, start, submit } from './support.ts';

const namesOf = (page: string): string[] =>
  [...page.matchAll(/<input id="\w+" name="(\w+)"/g)].map(([, name = '']) => name);

const both = {
  address: 'required',
  email: 'required',
  name: 'required',
  phone: 'hidden',
  require_full_billing_address: true,
  require_phone: false,
  require_shipping_address: true,
  wallet_billing_mode: 'min',
} as const;

const home = { line1: '1 Tea Street', city: 'Springfield', state: 'IL', postal_code: '62701', country: 'US' };
const office = { line1: '2 Cup Road', city: 'Hamburg', postal_code: '20095', country: 'DE' };

/** Returns the fields of an address in the form. */
function fieldsOf(group: 'billing' | 'shipping', address: Readonly<Record<string, string>>) {
  return Object.fromEntries(Object.entries(address).map(([name, value]) => [`${group}_${name}`, value]));
}

const answers = { ...buyer, ...card, ...fieldsOf('billing', home) };

const boxOf = (page: string) => /<input type="checkbox" name="same_address"[^>]*>/.exec(page)?.[0];

it('offers the billing address as the shipping address where both are asked in full', async () => {
  for (const [changes, expected] of [
    [{}, expect.stringContaining('checked')],
    [{ require_full_billing_address: false }, undefined],
    [{ require_shipping_address: false }, undefined],
  ] as const) {
    const { sandbox, session } = start({ collect_config: { ...both, ...changes } });
    expect(boxOf(await (await show(sandbox, session)).text())).toEqual(expected);
  }
});

it.each([
  ['the billing address', { same_address: 'on' }, home],
  ['the billing address, whatever else is typed', { same_address: 'on', shipping_city: 'Paris' }, home],
  ['another address', fieldsOf('shipping', office), office],
])('ships to %s', async (_what, fields, shipping) => {
  const { sandbox, session } = start({ mode: 'subscription', collect_config: both });
  expect((await submit(sandbox, session, { ...answers, ...fields })).status).toBe(303);
  const { customer } = sandbox.get('checkout_session', session.id) ?? {};
  expect(sandbox.get('customer', customer ?? '')).toMatchObject({ billing_address: home, shipping });
});

it('asks for the shipping address if it is another one, and keeps that choice', async () => {
  const { sandbox, session } = start({ collect_config: both });
  const refused = await submit(sandbox, session, answers);
  const page = await refused.text();
  expect(refused.status).toBe(422);
  expect(page).toContain('<a href="#shipping_line1">');
  expect(boxOf(page)).not.toContain('checked');
});

it("a subscription creates a customer with the buyer's details", async () => {
  const { sandbox, session } = start({
    mode: 'subscription',
    collect_config: { ...both, phone: 'required', require_shipping_address: false },
  });
  await submit(sandbox, session, {
    ...buyer,
    ...card,
    ...fieldsOf('billing', home),
    phone: '+1 202 555 0100',
  });
  const { customer } = sandbox.get('checkout_session', session.id) ?? {};
  expect(sandbox.get('customer', customer ?? '')).toMatchObject({
    first_name: 'Ada Augusta',
    last_name: 'Lovelace',
    email: 'ada@example.com',
    phone: '+1 202 555 0100',
    billing_address: home,
    shipping: null,
  });
});

it.each([
  ['Ada', 'Ada', ''],
  ['Ada  Lovelace', 'Ada', 'Lovelace'],
  [' Ada\nAugusta Lovelace ', 'Ada\nAugusta', 'Lovelace'],
  ['', '', ''],
])('a subscription by %j creates a customer with that name', async (name, first_name, last_name) => {
  const { sandbox, session } = start({
    mode: 'subscription',
    collect_config: {
      ...both,
      name: unlisted('optional'),
      email: 'hidden',
      address: 'hidden',
      require_full_billing_address: false,
      require_shipping_address: false,
    },
  });
  expect((await submit(sandbox, session, { ...card, name })).status).toBe(303);
  const { customer } = sandbox.get('checkout_session', session.id) ?? {};
  expect(sandbox.get('customer', customer ?? '')).toMatchObject({
    first_name,
    last_name,
    email: '',
    phone: '',
    billing_address: null,
  });
});

describe('the collected fields', () => {
  const wish = fc.constantFrom('required' as const, 'hidden' as const, unlisted('optional'));
  const config = fc.record({
    address: wish,
    email: wish,
    name: wish,
    phone: wish,
    require_full_billing_address: fc.boolean(),
    require_phone: fc.boolean(),
    require_shipping_address: fc.boolean(),
    wallet_billing_mode: fc.constant('min' as const),
  });
  const whole = ['line1', 'city', 'state', 'postal_code', 'country'];

  it('follow collect_config, and required ones are enforced', async () => {
    await fc.assert(
      fc.asyncProperty(config, async (collect_config) => {
        const { sandbox, session } = start({ collect_config });
        const { address, phone, require_full_billing_address, require_phone, require_shipping_address } =
          collect_config;
        const needed = [
          ...(['name', 'email'] as const).filter((name) => collect_config[name] === 'required'),
          ...(phone === 'required' || require_phone ? ['phone'] : []),
          ...(require_full_billing_address ? whole.map((part) => `billing_${part}`) : []),
          ...(address === 'required' && !require_full_billing_address
            ? ['billing_country', 'billing_postal_code']
            : []),
          ...(require_shipping_address ? whole.map((part) => `shipping_${part}`) : []),
        ];
        const empty = await submit(sandbox, session, {});
        const page = await empty.text();
        const missed = [...page.matchAll(/<li><a href="#(\w+)"/g)].map(([, name]) => name);
        expect(empty.status).toBe(422);
        expect(new Set(missed)).toEqual(new Set([...needed, ...Object.keys(card)]));
        const shown = namesOf(page);
        for (const name of ['name', 'email', 'phone'] as const) {
          const isAsked = collect_config[name] !== 'hidden' || (name === 'phone' && require_phone);
          expect(shown.includes(name)).toBe(isAsked);
        }
        expect(shown.includes('shipping_line1')).toBe(require_shipping_address);
        expect(shown.includes('billing_line1')).toBe(require_full_billing_address);
        expect(shown.includes('billing_postal_code')).toBe(
          require_full_billing_address || address !== 'hidden',
        );
      }),
      { numRuns: bySize({ short: 10, all: 60 }) },
    );
  });

  it('can be configured partly at creation', async () => {
    const { sandbox } = start();
    const headers = { authorization: `Bearer ${sandbox.secretKey}`, 'content-type': 'application/json' };
    const line_items = [{ name: 'Tea', amount: 1200, currency: 'usd', quantity: 1 }];
    const create = (collect_config: unknown) =>
      sandbox.fetch(
        new Request(`${sandbox.url}/v1/checkout/sessions`, {
          method: 'POST',
          headers,
          body: JSON.stringify({ mode: 'payment', line_items, collect_config }),
        }),
      );
    const { collect_config }: Session = JSON.parse(
      await (await create({ phone: 'required', require_phone: true })).text(),
    );
    expect(collect_config).toMatchObject({ phone: 'required', require_phone: true, email: 'required' });
    expect((await create({ require_phone: 'yes' })).status).toBe(400);
  });
});
