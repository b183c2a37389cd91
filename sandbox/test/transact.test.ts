import { AuthenticationError } from 'payments-client';
import { expect, test } from 'vitest';
import { failureOf } from '../../test/support/failure.ts';
import { clientOf, startSandbox } from '../../test/support/sandbox.ts';
import { codeOf, start } from '../../test/support/sandbox-requests.ts';

const path = '/api/transact.php';
const sale = { type: 'sale', amount: '12.00', payment_token: 'tok_1', orderid: '1042' };

function form(options?: Parameters<typeof start>[0]) {
  const { sandbox, send } = start(options);
  const fill = (fields: Readonly<Record<string, string>>) => ({
    security_key: sandbox.securityKey,
    ...fields,
  });
  const submit = async (fields: Readonly<Record<string, string>>) => {
    const response = await send(path, { method: 'POST', body: new URLSearchParams(fill(fields)) });
    return new URLSearchParams(await response.text());
  };
  return { sandbox, send, fill, submit };
}

test('a sale is approved, with its fields in order', async () => {
  const { send, fill } = form();
  const response = await send(path, { method: 'POST', body: new URLSearchParams(fill(sale)) });
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('text/html; charset=UTF-8');
  expect(await response.text()).toMatch(
    /^response=1&responsetext=SUCCESS&authcode=\d{6}&transactionid=\d{10}&avsresponse=Y&cvvresponse=M&orderid=1042&type=sale&response_code=100&risk_score=10&risk_decision=A$/,
  );
});

test.each(['urlencoded', 'multipart'] as const)('a sale arrives over HTTP, %s', async (formEncoding) => {
  const sandbox = await startSandbox();
  const { transact } = clientOf(sandbox, { formEncoding });
  const result = await transact.sale({ amount: '12.00', payment_token: 'tok_1', orderid: 'São Paulo & Co' });
  expect(sandbox.transactions).toMatchObject([{ id: result.transactionid, orderid: 'São Paulo & Co' }]);
  const wrong = clientOf(sandbox, { formEncoding, securityKey: 'wrong' }).transact;
  const refused = await failureOf(wrong.void({ transactionid: result.transactionid }), AuthenticationError);
  expect(refused.body).toMatchObject({
    responsetext: expect.stringMatching(/^Authentication Failed REFID:\d+$/),
  });
  expect(sandbox.transactions).toMatchObject([{ status: 'pending' }]);
});

test('a card number is accepted instead of a token, and never stored', async () => {
  const { sandbox, submit } = form();
  const { payment_token: _, ...rest } = sale;
  const result = await submit({ ...rest, ccnumber: '4111111111111111', ccexp: '1230', cvv: '987' });
  expect(result.get('response')).toBe('1');
  expect(JSON.stringify([sandbox.transactions, sandbox.requests])).not.toMatch(
    /4111111111111111|(?<![\w.])987(?!\w)/,
  );
});

test.each([
  [{ security_key: 'wrong' }, /^Authentication Failed REFID:\d+$/],
  [{ security_key: '' }, /^Authentication Failed REFID:\d+$/],
  [{ type: 'refund' }, /^Missing transactionid: .* REFID:\d+$/],
  [{ type: 'void' }, /^Missing transactionid: .* REFID:\d+$/],
  [{ type: '' }, /^Invalid type: expected one of sale auth .* REFID:\d+$/],
  [{ type: 'toString' }, /^Invalid type: expected one of sale auth .* REFID:\d+$/],
  [{ amount: '' }, /^Invalid amount: .* REFID:\d+$/],
  [{ type: 'validate' }, /^Invalid amount: expected none .* REFID:\d+$/],
  [{ amount: '12' }, /^Invalid amount: .* REFID:\d+$/],
  [{ amount: '12.5' }, /^Invalid amount: .* REFID:\d+$/],
  [{ amount: '-12.00' }, /^Invalid amount: .* REFID:\d+$/],
  [{ payment_token: '' }, /^Expected either payment_token or ccnumber, got neither REFID:\d+$/],
  [{ ccnumber: '4111111111111111' }, /^Expected either payment_token or ccnumber, got both REFID:\d+$/],
  [{ payment_token: '', ccnumber: '4111111111111112', ccexp: '1230' }, /^Invalid ccnumber: .* REFID:\d+$/],
  [{ payment_token: '', ccnumber: '4111111111111111', ccexp: '1330' }, /^Invalid ccexp: .* REFID:\d+$/],
  [{ payment_token: '', ccnumber: '4111111111111111' }, /^Invalid ccexp: .* REFID:\d+$/],
  [
    { payment_token: '', ccnumber: '4111111111111111', ccexp: '1230', cvv: '12' },
    /^Invalid cvv: .* REFID:\d+$/,
  ],
])('a form with %j is an error that charges nothing', async (wrong, message) => {
  const { sandbox, submit } = form();
  const result = await submit({ ...sale, ...wrong });
  expect(result.get('response')).toBe('3');
  expect(result.get('responsetext')).toMatch(message);
  expect(result.get('transactionid')).toBe('');
  expect(sandbox.transactions).toEqual([]);
});

test('a body that is not a form is rejected without a key', async () => {
  const { send } = form();
  for (const init of [{ body: '{}', headers: { 'content-type': 'application/json' } }, {}]) {
    const response = await send(path, { method: 'POST', ...init });
    expect(response.status).toBe(200);
    expect(await response.text()).toMatch(/^response=3&responsetext=Authentication Failed REFID:/);
  }
});

test('the same form twice is two transactions, whatever idempotency key it has', async () => {
  const { sandbox, send, fill } = form();
  const submit = () =>
    send(path, {
      method: 'POST',
      headers: { 'idempotency-key': 'order-1' },
      body: new URLSearchParams(fill(sale)),
    });
  await submit();
  await submit();
  expect(sandbox.transactions.map(({ id }) => id)).toHaveLength(2);
});

test('a GET on the form endpoint is not found', async () => {
  const refused = await form().send(path);
  expect([refused.status, await codeOf(refused)]).toEqual([404, 'ROUTE_NOT_FOUND']);
});
