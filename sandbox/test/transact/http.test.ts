import { AuthenticationError, Transact } from 'payments-client';
import { createSandbox, type Sandbox, testCards } from 'payments-client-sandbox';
import { afterEach, expect, test } from 'vitest';
import { failureOf } from '../../../test/support/failure.ts';
import { typed } from './support.ts';

let sandbox: Sandbox | undefined;
afterEach(() => sandbox?.close());

test.each(['urlencoded', 'multipart'] as const)(
  'the life cycle of a sale over HTTP, %s',
  async (formEncoding) => {
    const server = createSandbox({ unknownTokens: 'refuse', velocityRules: 'typical' });
    sandbox = await server.listen();
    const { url: baseUrl, securityKey } = server;
    const transact = new Transact({ baseUrl, securityKey, formEncoding });
    const payment_token = await server.tokenize(typed(testCards.zipOnly.number));
    const held = await transact.auth({ amount: '12.00', payment_token, city: 'São Paulo & Co' });
    expect(held).toMatchObject({ approved: true, avs: { code: 'Z', zip: true }, cvv: { matched: true } });
    const { transactionid } = await transact.capture({ transactionid: held.transactionid });
    await server.clock.advance('1 day');
    await transact.refund({ transactionid, amount: '2.00' });
    expect(server.transactions).toMatchObject([
      { status: 'settled', captured: '12.00', refunded: '2.00' },
      { type: 'refund', status: 'pending', amount: '2.00' },
    ]);
    const wrong = new Transact({ baseUrl, securityKey: 'wrong', formEncoding });
    const refused = await failureOf(wrong.void({ transactionid }), AuthenticationError);
    expect(refused.body).toMatchObject({
      responsetext: expect.stringMatching(/^Authentication Failed REFID:\d+$/),
    });
    expect(JSON.stringify([server.transactions, server.requests])).not.toContain(testCards.zipOnly.number);
  },
);

test('a fault after a sale keeps the sale, and its token is used', async () => {
  const server = createSandbox();
  sandbox = await server.listen();
  const transact = new Transact({ baseUrl: server.url, securityKey: server.securityKey });
  const payment_token = await server.tokenize(typed('4111111111111111'));
  server.faults.inject({ kind: 'drop_reply', operation: 'transact.submit' });
  const sale = { amount: '12.00', payment_token };
  await expect(transact.sale(sale)).rejects.toMatchObject({ outcome: 'unknown' });
  expect(server.transactions).toMatchObject([{ status: 'pending', captured: '12.00' }]);
  expect((await transact.sale(sale)).responsetext).toMatch(/used before/);
});
