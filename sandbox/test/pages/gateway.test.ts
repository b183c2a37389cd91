import { createSandbox, type SandboxOptions, testCards } from 'payments-client-sandbox';
import { expect, test } from 'vitest';

const shop = 'https://shop.example';

function start(options?: SandboxOptions) {
  const sandbox = createSandbox(options);
  const send = (path: string, init?: RequestInit) =>
    sandbox.fetch(new Request(`${sandbox.url}${path}`, init));
  const post = async (
    path: string,
    fields: Readonly<Record<string, string>>,
    origin: string | undefined = shop,
  ) => {
    const body = new URLSearchParams({ apiKey: sandbox.publicKey, ...fields });
    const headers = new Headers(origin === '' ? {} : { origin });
    const response = await send(`/browser/${path}`, { method: 'POST', body, headers });
    return { status: response.status, headers: response.headers, body: JSON.parse(await response.text()) };
  };
  const tokenOf = (name: keyof typeof testCards) =>
    sandbox.tokenize({ ccnumber: testCards[name].number, ccexp: '1230', cvv: '123' });
  const begin = async () =>
    (await post('authentications', { token: await tokenOf('challengeRequired') })).body.challenge;
  return { sandbox, send, post, tokenOf, begin };
}

test('the script is served to every page, with the public key only', async () => {
  const { sandbox, send } = start();
  const response = await send('/js/Gateway.js');
  const text = await response.text();
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(response.headers.get('access-control-allow-origin')).toBe('*');
  expect(text).toContain(sandbox.publicKey);
  expect(text).not.toContain(sandbox.secretKey);
  expect(text).not.toContain(sandbox.securityKey);
  expect(sandbox.requests.at(-1)).toMatchObject({ operation: 'scripts.load', path: '/js/Gateway.js' });
});

test('a key with quotes in it does not break out of the script', async () => {
  const { send } = start({ publicKey: 'pk_"};alert(1);{"' });
  expect(await (await send('/js/Gateway.js')).text()).toContain(String.raw`"pk_\"};alert(1);{\""`);
});

test.each([
  ['device-sessions', {}, 'risk.collectDeviceData'],
  ['authentications', { token: 'tok_1' }, 'threeDSecure.authenticate'],
])(
  '%s without the public key, or with another, is a 401 that a page can read',
  async (path, fields, operation) => {
    const { sandbox, post } = start();
    for (const apiKey of ['', 'pk_other', sandbox.secretKey]) {
      const { status, headers, body } = await post(path, { ...fields, apiKey });
      expect(status).toBe(401);
      expect(headers.get('access-control-allow-origin')).toBe('*');
      expect(body.error).toMatchObject({ code: 'INVALID_PUBLIC_KEY', param: 'apiKey' });
    }
    expect(sandbox.requests.map((request) => request.operation)).toEqual([operation, operation, operation]);
  },
);

test('the form endpoint accepts a device session, and the device data is not stored', async () => {
  const { sandbox, post } = start();
  const { body } = await post('device-sessions', { language: 'tlh-Cans', screen: '1x1' });
  expect(body.id).toMatch(/^rs_[0-9a-z]{16}$/);
  expect(JSON.stringify(sandbox.snapshot())).toContain(body.id);
  expect(JSON.stringify(sandbox.snapshot())).not.toContain('tlh-Cans');
});

test.each([
  ['authenticated', true, 'Y', '05'],
  ['frictionless', true, 'Y', '05'],
  ['authenticationUnavailable', false, 'U', '07'],
  ['authenticationFailed', false, 'N', '07'],
] as const)('%s: the result at once, with five fields', async (name, authenticated, letter, eci) => {
  const { post, tokenOf } = start();
  const { status, body } = await post('authentications', { token: await tokenOf(name) });
  expect(status).toBe(200);
  expect(body).toEqual({
    result: {
      authenticated,
      cardholder_auth: letter,
      cavv: authenticated ? expect.any(String) : null,
      xid: expect.any(String),
      eci,
    },
  });
});

test.each([
  ['passed', true, 'Y', '05'],
  ['failed', false, 'N', '07'],
  ['unanswered', false, 'C', '07'],
])('a challenge that is %s has its result once', async (answer, authenticated, letter, eci) => {
  const { post, send, begin } = start();
  const challenge = await begin();
  const { status, body } = await post('authentications', { challenge, answer });
  expect(status).toBe(200);
  expect(body.result).toMatchObject({ authenticated, cardholder_auth: letter, xid: challenge, eci });
  const again = await post('authentications', { challenge, answer: 'passed' });
  expect(again.status).toBe(422);
  expect(again.body.error.message).toMatch(/^Unknown challenge: expected an open one/);
  expect((await send(`/browser/challenge?id=${challenge}`)).status).toBe(404);
});

test('an answer needs an open challenge, and must be valid', async () => {
  const { post, tokenOf, begin } = start();
  const { body } = await post('authentications', { token: await tokenOf('authenticated') });
  for (const challenge of ['nothing', body.result.xid]) {
    expect((await post('authentications', { challenge, answer: 'passed' })).status).toBe(422);
  }
  const challenge = await begin();
  expect((await post('authentications', { challenge, answer: 'maybe' })).body.error.param).toBe('answer');
  expect((await post('authentications', { challenge })).status).toBe(400);
  expect((await post('authentications', { challenge, answer: 'passed' })).status).toBe(200);
});

test('an unknown, used, expired or missing token is rejected and never repeated', async () => {
  const { sandbox, post, tokenOf } = start();
  const used = await tokenOf('authenticated');
  const form = { security_key: sandbox.securityKey, type: 'sale', amount: '1.00', payment_token: used };
  const body = new URLSearchParams(form);
  await sandbox.fetch(new Request(`${sandbox.url}/api/transact.php`, { method: 'POST', body }));
  const expired = await tokenOf('authenticated');
  await sandbox.clock.advance('15 min');
  for (const token of ['tok_unknown', used, expired]) {
    const answer = await post('authentications', { token });
    expect([answer.status, answer.body.error.code]).toEqual([422, 'NOT_PROCESSED']);
    expect(JSON.stringify(answer.body)).not.toContain(token);
  }
  expect((await post('authentications', {})).status).toBe(400);
});

test('a challenge whose token expired meanwhile cannot be passed', async () => {
  const { sandbox, post, begin } = start();
  const challenge = await begin();
  await sandbox.clock.advance('15 min');
  const { status, body } = await post('authentications', { challenge, answer: 'passed' });
  expect([status, body.error.message]).toEqual([422, expect.stringContaining('has expired')]);
});

test.each(['', 'null', 'file://', 'nonsense'])(
  'a challenge is rejected for the origin "%s"',
  async (origin) => {
    const { sandbox, post, tokenOf } = start();
    const token = await tokenOf('challengeRequired');
    const { status, body } = await post('authentications', { token }, origin);
    expect([status, body.error.code]).toEqual([403, 'ORIGIN_NOT_ALLOWED']);
    expect(JSON.stringify(sandbox.snapshot())).not.toContain('challenge_required');
  },
);

test('a challenge shows the origin of the page that started it, and what the page says of the payment', async () => {
  const { sandbox, send, begin } = start();
  const query = new URLSearchParams({ id: await begin(), amount: '24.00', currency: '<b>USD</b>' });
  const page = await (await send(`/browser/challenge?${query}`)).text();
  expect(page).toContain(`<dd><bdi>${shop}</bdi></dd>`);
  expect(page).toContain('24.00 &lt;b>USD&lt;/b>');
  const shown = { operation: 'threeDSecure.challenge', path: '/browser/challenge' };
  expect(sandbox.requests.at(-1)).toMatchObject(shown);
});
