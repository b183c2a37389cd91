import { expect, it } from 'vitest';
import { buyer, card, start, submit } from './support.ts';

const whole = {
  address: 'required',
  email: 'required',
  name: 'required',
  phone: 'hidden',
  require_full_billing_address: true,
  require_phone: false,
  require_shipping_address: false,
  wallet_billing_mode: 'min',
} as const;
const address = {
  billing_line1: '1 Tea Street',
  billing_city: 'Springfield',
  billing_state: 'IL',
  billing_postal_code: '62701',
  billing_country: 'US',
};

async function mistakes(changes: Partial<Record<keyof typeof address, string>>): Promise<string[]> {
  const { sandbox, session } = start({ collect_config: whole });
  const response = await submit(sandbox, session, { ...buyer, ...card, ...address, ...changes });
  return [...(await response.text()).matchAll(/<li><a href="#(\w+)"/g)].map(([, name = '']) => name);
}

it.each([
  ['US', ['billing_postal_code', 'billing_state']],
  ['DE', ['billing_postal_code']],
  ['HK', []],
  ['', ['billing_country', 'billing_postal_code', 'billing_state']],
  ['Germany', ['billing_country', 'billing_postal_code']],
])('requires the address fields of the country "%s"', async (billing_country, expected) => {
  const found = await mistakes({ billing_country, billing_postal_code: '', billing_state: '' });
  expect(found.sort()).toEqual(expected);
});

it('accepts a complete address', async () => {
  expect(await mistakes({})).toEqual([]);
});
