import { expect, it } from 'vitest';
import { buyer, card, show, start, submit } from './checkout/support.ts';

async function statusOf(fields: Readonly<Record<string, string>>): Promise<number> {
  const { sandbox, session } = start();
  return (await submit(sandbox, session, { ...buyer, ...card, ...fields })).status;
}

const amex = '3782 822463 10005';

it.each([
  [card.ccnumber, '123', 303],
  [card.ccnumber, '1234', 422],
  [amex, '1234', 303],
  [amex, '123', 422],
  ['9999001000000010', '123', 303],
  ['9999001000000010', '1234', 303],
])('accepts, for the number %s, the security code %s: %i', async (ccnumber, cvv, status) => {
  expect(await statusOf({ ccnumber, cvv })).toBe(status);
});

it.each(['1230', '12/30', '12/2030', '1/30', '01 30', '130', '122030'])(
  'accepts the expiry %s',
  async (ccexp) => {
    expect(await statusOf({ ccexp })).toBe(303);
  },
);

it('sets the autocomplete token of each field', async () => {
  const { sandbox, session } = start();
  const page = await (await show(sandbox, session)).text();
  const input = (name: string) => new RegExp(`<input id="${name}"[^>]*>`).exec(page)?.[0] ?? '';
  for (const [name, autocomplete, key] of [
    ['ccnumber', 'cc-number', 'next'],
    ['ccexp', 'cc-exp', 'next'],
    ['cvv', 'cc-csc', 'go'],
  ]) {
    expect(input(name ?? '')).toContain(`autocomplete="${autocomplete}"`);
    expect(input(name ?? '')).toContain('inputmode="numeric"');
    expect(input(name ?? '')).toContain(`enterkeyhint="${key}"`);
    expect(input(name ?? '')).toContain('spellcheck="false"');
  }
  expect(input('email')).toMatch(/type="email".*autocapitalize="none"/s);
  expect(input('name')).toContain('autocapitalize="words"');
});
