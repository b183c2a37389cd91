import { type Sandbox, testCards } from 'payments-client/sandbox';
import { expect, it } from 'vitest';
import { buyer, card, type Session, start, submit, typesOf, urls } from './support.ts';

function payWith(sandbox: Sandbox, session: Session, name: keyof typeof testCards): Promise<Response> {
  return submit(sandbox, session, { ...buyer, ...card, ccnumber: testCards[name].number });
}

/** Returns the form fields of the challenge page. */
async function fieldsOf(step: Response): Promise<Record<string, string>> {
  const page = await step.text();
  const hidden = page.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)">/g);
  return Object.fromEntries([...hidden].map(([, name, value]) => [name, value]));
}

async function reachStep(options?: Parameters<typeof start>[0]) {
  const { sandbox, session } = start(options);
  const step = await payWith(sandbox, session, 'challengeRequired');
  const fields = await fieldsOf(step);
  const answer = (text: string) => submit(sandbox, session, { ...fields, answer: text });
  return { sandbox, session, step, fields, answer };
}

it.each(['frictionless', 'authenticationUnavailable', 'authenticated', 'fullMatch'] as const)(
  'pays at once with the test card %s',
  async (name) => {
    const { sandbox, session } = start();
    const paid = await payWith(sandbox, session, name);
    expect([paid.status, paid.headers.get('location')]).toEqual([303, urls.success_url]);
    expect(typesOf(sandbox)).toContain('checkout.session.completed');
  },
);

it('charges nothing when the bank declines, and accepts another card', async () => {
  const { sandbox, session } = start();
  const refused = await payWith(sandbox, session, 'authenticationFailed');
  const page = await refused.text();
  expect(refused.status).toBe(402);
  expect(page).toContain('Your bank could not verify you');
  expect(page).toContain('value="ada@example.com"');
  expect(typesOf(sandbox)).toEqual(['checkout.session.created']);
  expect((await payWith(sandbox, session, 'fullMatch')).status).toBe(303);
});

it("shows a challenge before the payment, with the buyer's input but no card in the page", async () => {
  const { sandbox, session, step, fields } = await reachStep();
  expect(step.status).toBe(200);
  expect(fields).toEqual({ ...buyer, challenge: expect.stringMatching(/^\w+$/) });
  expect(sandbox.get('checkout_session', session.id)).toMatchObject({
    status: 'open',
    payment_intent_id: null,
  });
  expect(JSON.stringify(sandbox.snapshot())).not.toContain(testCards.challengeRequired.number);
  expect(JSON.stringify(sandbox.snapshot())).not.toContain(buyer.email);
});

it('pays once after the buyer confirms', async () => {
  const { sandbox, session, answer } = await reachStep();
  const both = await Promise.all([answer('passed'), answer('passed')]);
  const again = await answer('passed');
  for (const paid of [...both, again]) {
    expect([paid.status, paid.headers.get('location')]).toEqual([303, urls.success_url]);
  }
  expect(typesOf(sandbox).filter((type) => type === 'payment_intent.succeeded')).toHaveLength(1);
  expect(sandbox.get('checkout_session', session.id)).toMatchObject({
    payment_status: 'paid',
    customer_email: buyer.email,
  });
});

it.each([
  ['failed', 'Your bank could not verify you'],
  ['unanswered', 'You canceled your bank’s verification'],
  ['nonsense', 'You canceled your bank’s verification'],
])('charges nothing for the answer %s, and lets the buyer retry', async (text, words) => {
  const { sandbox, session, answer } = await reachStep();
  const refused = await answer(text);
  expect(refused.status).toBe(402);
  expect(await refused.text()).toContain(words);
  const late = await answer('passed');
  expect([late.status, await late.text()]).toEqual([
    402,
    expect.stringContaining('verification has expired'),
  ]);
  expect(typesOf(sandbox)).toEqual(['checkout.session.created']);
  const step = await payWith(sandbox, session, 'challengeRequired');
  const paid = await submit(sandbox, session, { ...(await fieldsOf(step)), answer: 'passed' });
  expect(paid.status).toBe(303);
});

it('accepts the answer for its own session only', async () => {
  const { sandbox, fields } = await reachStep();
  const other = sandbox.add('checkout_session', urls);
  const refused = await submit(sandbox, other, { ...fields, answer: 'passed' });
  expect([refused.status, await refused.text()]).toEqual([
    402,
    expect.stringContaining('verification has expired'),
  ]);
  expect(typesOf(sandbox)).not.toContain('payment_intent.succeeded');
});

it('ends after 15 minutes', async () => {
  const { sandbox, answer } = await reachStep();
  await sandbox.clock.advance('15 minutes');
  const late = await answer('passed');
  expect([late.status, await late.text()]).toEqual([
    402,
    expect.stringContaining('verification has expired'),
  ]);
});

it('charges nothing for a session that expires meanwhile', async () => {
  const { sandbox, answer } = await reachStep();
  await sandbox.clock.advance('24 hours');
  expect((await answer('passed')).status).toBe(410);
  expect(typesOf(sandbox)).toEqual(['checkout.session.created', 'checkout.session.expired']);
});

it("returns to the form if the buyer's input is invalid", async () => {
  const { sandbox, session, fields } = await reachStep();
  const refused = await submit(sandbox, session, { ...fields, email: 'nobody', answer: 'passed' });
  expect(refused.status).toBe(422);
  expect(typesOf(sandbox)).not.toContain('payment_intent.succeeded');
});
