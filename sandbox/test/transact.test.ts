import { expect, test } from 'vitest';
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

test('a multipart body is accepted like a url-encoded one', async () => {
  const { send, fill } = form();
  const body = new FormData();
  for (const [name, value] of Object.entries(fill(sale))) body.append(name, value);
  const response = await send(path, { method: 'POST', body });
  expect(await response.text()).toMatch(/^response=1&.*&orderid=1042&/);
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

test('an amount below 1.00 is declined', async () => {
  const { sandbox, submit } = form();
  const result = await submit({ ...sale, amount: '0.99' });
  expect(result.get('response')).toBe('2');
  expect(result.get('responsetext')).toBe('DECLINE');
  expect(result.get('authcode')).toBe('');
  expect(result.get('response_code')).toBe('200');
  expect((await submit({ ...sale, amount: '1.00' })).get('response')).toBe('1');
  expect(sandbox.transactions.map(({ approved }) => approved)).toEqual([false, true]);
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

test('the response can be percent-encoded or JSON', async () => {
  const wrong = { ...sale, security_key: 'wrong' };
  const escaped = form({ interface: { formResponse: 'escaped' } });
  const text = await (await escaped.send(path, { method: 'POST', body: new URLSearchParams(wrong) })).text();
  expect(text).toMatch(/^response=3&responsetext=Authentication\+Failed\+REFID%3A\d+&/);

  const json = form({ interface: { formResponse: 'json' } });
  const response = await json.send(path, { method: 'POST', body: new URLSearchParams(json.fill(sale)) });
  expect(response.headers.get('content-type')).toBe('application/json');
  expect(await response.json()).toMatchObject({ response: '1', orderid: '1042', risk_score: '10' });
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

test('a dropped reply keeps the transaction, and a dropped request creates none', async () => {
  const { sandbox, submit } = form();
  sandbox.faults.inject({ kind: 'drop_reply', operation: 'transact.submit' });
  await expect(submit(sale)).rejects.toThrow('fetch failed');
  expect(sandbox.transactions).toHaveLength(1);
  sandbox.faults.inject({ kind: 'drop_request', operation: 'transact.submit' });
  await expect(submit(sale)).rejects.toThrow('fetch failed');
  expect(sandbox.transactions).toHaveLength(1);
});

test('a GET on the form endpoint is not found', async () => {
  const refused = await form().send(path);
  expect([refused.status, await codeOf(refused)]).toEqual([404, 'ROUTE_NOT_FOUND']);
});
