import { testCards } from 'payments-client-sandbox';
import { expect, test } from 'vitest';
import { startForms, typed } from './support.ts';

const amount = '12.00';

test('a test card is tokenized as testCards has it', async () => {
  const { sandbox, transact } = startForms();
  const pay = async (payment_token: string) => await transact.sale({ amount: '12.00', payment_token });
  expect((await pay(await sandbox.tokenize(testCards.fullMatch))).approved).toBe(true);
  expect((await pay(await sandbox.tokenize(testCards.doNotHonor))).responsetext).toBe('Do not honor');
});

test('a token can be used once', async () => {
  const { sandbox, transact } = startForms();
  const payment_token = await sandbox.tokenize(typed(testCards.addressOnly.number));
  expect(payment_token).toMatch(/^tok_[0-9a-z]{16}$/);
  const result = await transact.sale({ amount, payment_token });
  expect([result.approved, result.avs?.code, result.cvv?.code]).toEqual([true, 'A', 'M']);
  const again = await transact.sale({ amount, payment_token });
  expect(again).toMatchObject({ approved: false, errored: true, transactionid: '' });
  expect(again.responsetext).toMatch(/^The payment_token was used before: expected a new one REFID:\d+$/);
  expect(sandbox.transactions).toHaveLength(1);
});

test('a decline uses up a token; a form that cannot be processed does not', async () => {
  const { sandbox, submit } = startForms();
  const payment_token = await sandbox.tokenize(typed(testCards.doNotHonor.number));
  expect((await submit({ type: 'sale', amount: 'much', payment_token })).get('response')).toBe('3');
  expect((await submit({ type: 'sale', amount, payment_token })).get('response')).toBe('2');
  expect((await submit({ type: 'sale', amount, payment_token })).get('responsetext')).toMatch(/used before/);
});

test('of concurrent sales with one token, one succeeds', async () => {
  const { sandbox, transact } = startForms();
  const payment_token = await sandbox.tokenize(typed('4111111111111111'));
  const sales = [1, 2, 3].map(() => transact.sale({ amount, payment_token }));
  const results = await Promise.all(sales);
  expect(results.filter(({ approved }) => approved)).toHaveLength(1);
  expect(sandbox.transactions).toHaveLength(1);
});

test('a token expires after 15 minutes of the clock', async () => {
  const { sandbox, transact } = startForms();
  const first = await sandbox.tokenize(typed('4111111111111111'));
  const second = await sandbox.tokenize(typed('4111111111111111'));
  await sandbox.clock.advance(15 * 60_000 - 1);
  expect((await transact.sale({ amount, payment_token: first })).approved).toBe(true);
  await sandbox.clock.advance(1);
  const late = await transact.sale({ amount, payment_token: second });
  expect(late.responsetext).toMatch(/^The payment_token has expired: .* REFID:\d+$/);
});

test("an unknown token pays by default, or is an error with unknownTokens: 'refuse'", async () => {
  const sale = { amount, payment_token: 'tok_1' };
  expect((await startForms().transact.sale(sale)).approved).toBe(true);
  const refused = await startForms({ unknownTokens: 'refuse' }).transact.sale(sale);
  expect(refused).toMatchObject({ approved: false, errored: true });
  expect(refused.responsetext).toMatch(/^Unknown payment_token: .* REFID:\d+$/);
});

test('an invalid card gets no token and is not repeated', async () => {
  const { sandbox } = startForms();
  const card = { ccnumber: '4111111111111112', ccexp: '1230', cvv: '123' };
  const error = await sandbox.tokenize(card).catch(String);
  expect(error).toMatch(/ConfigurationError: sandbox.tokenize.ccnumber: expected 12 to 19 digits/);
  expect(error).not.toMatch(/4111/);
});

test.each([
  ['authenticated', 'passed', true, 'Y', 'authenticated'],
  ['frictionless', 'passed', true, 'Y', 'frictionless'],
  ['authenticationUnavailable', 'passed', false, 'U', 'unavailable'],
  ['authenticationFailed', 'passed', false, 'N', 'failed'],
  ['challengeRequired', 'passed', true, 'Y', 'authenticated'],
  ['challengeRequired', 'failed', false, 'N', 'failed'],
  ['challengeRequired', 'unanswered', false, 'C', 'challenge_required'],
] as const)('3-D Secure of %s, challenge %s: %s', async (name, challenge, authenticated, letter, status) => {
  const { sandbox, transact } = startForms();
  const payment_token = await sandbox.tokenize(typed(testCards[name].number));
  const threeDSecure = sandbox.authenticate(payment_token, challenge);
  expect(threeDSecure).toMatchObject({ authenticated, cardholder_auth: letter, status });
  expect(threeDSecure.cavv === null).toBe(!authenticated);
  const result = await transact.sale(
    { amount, payment_token, threeDSecure },
    { allowFailedAuthentication: true, allowUnavailableAuthentication: true },
  );
  const isHighRisk = letter === 'N' || letter === 'C';
  expect([result.approved, result.risk?.level]).toEqual([
    !isHighRisk,
    isHighRisk ? 'high' : letter === 'U' ? 'medium_low' : 'low',
  ]);
});

test('3-D Secure needs a token that the sandbox created', () => {
  expect(() => startForms().sandbox.authenticate('tok_1')).toThrow(
    /expected an unused token of this sandbox/,
  );
});
