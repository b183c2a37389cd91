import { expect, test } from 'vitest';
import { idOf, read, start } from '../../../../test/support/sandbox-requests.ts';

const path = '/v1/payment_methods';
const cardWith = (number: unknown) => ({ type: 'card', card: { number, exp_month: 12, exp_year: 2030 } });

test.each([
  ['4000000000000002', 'pm_card_declined'],
  ['4000 0000 0000 9995', 'pm_card_insufficient_funds'],
  [4_000_000_000_000_119, 'pm_card_processing_error'],
])('%s, which another service declines, is refused with %s', async (number, method) => {
  const { request } = start();
  const refused = await request(path, { body: cardWith(number) });
  expect(refused.status).toBe(400);
  const { error } = await read(refused);
  expect(error).toEqual({
    code: 'INVALID_PARAMETER',
    param: 'card.number',
    message: `card.number: expected no test number that another service declines. Use the payment method '${method}'.`,
  });
  expect(await read(await request(path))).toMatchObject({ data: [] });
});

test('such a number is refused by an update too, at any depth that a card has', async () => {
  const { post, request } = start();
  const created = await post(path, cardWith('4242424242424242'));
  const body = { methods: [cardWith('4000000000000002')] };
  const refused = await request(`${path}/${idOf(created)}`, { body });
  expect(await read(refused)).toMatchObject({ error: { param: 'methods[0].card.number' } });
});

test('the number is not repeated, even as the name of the field', async () => {
  const { request } = start();
  const number = '4000000000000002';
  const text = await (await request(path, { body: { [number]: number } })).text();
  expect(text).toContain('[redacted]: expected no test number');
  expect(text).not.toContain(number);
});

test('a deeply nested body is stored', async () => {
  const { request } = start();
  const body = `{"a":${'['.repeat(1000)}${']'.repeat(1000)}}`;
  expect((await request(path, { body })).status).toBe(200);
});
