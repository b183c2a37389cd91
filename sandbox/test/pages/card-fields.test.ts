import { createSandbox, testCards } from 'payments-client-sandbox';
import { expect, test } from 'vitest';

const number = testCards.addressOnly.number;
const card = { ccnumber: number, ccexp: '1230', cvv: '123' };

function start() {
  const sandbox = createSandbox();
  const send = (path: string, init?: RequestInit) =>
    sandbox.fetch(new Request(`${sandbox.url}${path}`, init));
  const tokenize = async (fields: Readonly<Record<string, string>>, origin?: string) => {
    const body = new URLSearchParams({ apiKey: sandbox.publicKey, ...fields });
    const headers = new Headers(origin === undefined ? {} : { origin });
    const response = await send('/browser/tokens', { method: 'POST', body, headers });
    return { status: response.status, headers: response.headers, body: JSON.parse(await response.text()) };
  };
  return { sandbox, send, tokenize };
}

const frame = (origin: string) => `/browser/card-fields?${new URLSearchParams({ origin })}`;

test('the script is served to every page', async () => {
  const { sandbox, send } = start();
  const response = await send('/js/CollectJS.js');
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
  expect(response.headers.get('access-control-allow-origin')).toBe('*');
  expect(sandbox.requests.at(-1)).toMatchObject({ operation: 'scripts.load', path: '/js/CollectJS.js' });
});

test('the frame is for the origin of the page that opened it', async () => {
  const { sandbox, send } = start();
  const response = await send(frame('https://shop.example/cart'));
  expect([response.status, await response.text()]).toEqual([
    200,
    expect.stringContaining('data-origin="https://shop.example"'),
  ]);
  const shown = { operation: 'cardFields.show', path: '/browser/card-fields' };
  expect(sandbox.requests.at(-1)).toMatchObject(shown);
});

test.each(['', 'null', '*', 'nonsense', 'file:///tmp/shop.html', 'javascript:alert(1)'])(
  'there is no frame for the origin "%s"',
  async (origin) => {
    const response = await start().send(frame(origin));
    expect(response.status).toBe(400);
    expect(response.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(await response.text()).toContain('Expected');
  },
);

test('a card becomes a token that a sale accepts', async () => {
  const { sandbox, tokenize, send } = start();
  const { status, body } = await tokenize(card, new URL(sandbox.url).origin);
  expect(status).toBe(200);
  expect(body).toEqual({ token: expect.stringMatching(/^tok_[0-9a-z]{16}$/) });
  const form = { security_key: sandbox.securityKey, type: 'sale', amount: '1.00', payment_token: body.token };
  const sale = await send('/api/transact.php', { method: 'POST', body: new URLSearchParams(form) });
  expect(await sale.text()).toContain('avsresponse=A');
  expect(sandbox.requests[0]).toMatchObject({ operation: 'cardFields.tokenize', path: '/browser/tokens' });
});

test('the public key is required', async () => {
  const { sandbox, tokenize } = start();
  for (const apiKey of ['', 'pk_other', sandbox.secretKey]) {
    const { status, body } = await tokenize({ ...card, apiKey });
    expect([status, body.error.code]).toEqual([401, 'INVALID_PUBLIC_KEY']);
  }
  expect(JSON.stringify(sandbox.snapshot())).not.toContain('tok_');
});

test.each(['https://shop.example', 'http://127.0.0.1:1', 'null', 'nonsense'])(
  'a page of the origin "%s" cannot send a card, and cannot read the answer',
  async (origin) => {
    const { sandbox, tokenize } = start();
    const { status, headers, body } = await tokenize(card, origin);
    expect([status, body.error.code]).toEqual([403, 'ORIGIN_NOT_ALLOWED']);
    expect(headers.has('access-control-allow-origin')).toBe(false);
    expect(JSON.stringify(sandbox.snapshot())).not.toContain('tok_');
  },
);

test.each([
  ['ccnumber', '9999001000000011', /^This card number is not valid/],
  ['ccnumber', '', /^This card number is not valid/],
  [
    'ccnumber',
    '4000000000000002',
    /^Another service declines this test number. Use testCards.doNotHonor \(9999004000000014\)\.$/,
  ],
  ['ccexp', '1330', /^Enter the month and the year/],
  ['cvv', '12', /^Enter the 3 or 4 digits/],
])('an invalid card gets no token and is not repeated: %s "%s"', async (name, value, expected) => {
  const { sandbox, tokenize } = start();
  const { status, body } = await tokenize({ ...card, [name]: value });
  expect(status).toBe(422);
  expect(body.error.code).toBe('INVALID_CARD');
  expect(body.error[name]).toMatch(expected);
  expect(Object.keys(body.error).filter((key) => ['ccnumber', 'ccexp', 'cvv'].includes(key))).toEqual([name]);
  expect(JSON.stringify(body)).not.toContain(number);
  if (value !== '') expect(JSON.stringify(body)).not.toContain(value);
  expect(JSON.stringify(sandbox.snapshot())).not.toContain('tok_');
});
