import { expect, it } from 'vitest';
import { buyer, card, show, start, submit } from './support.ts';

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
