import { type Sandbox, testCards } from 'payments-client-sandbox';
import { expect, it } from 'vitest';
import { buyer, card, type Session, start, submit, typesOf, urls } from './support.ts';

function payWith(sandbox: Sandbox, session: Session, name: keyof typeof testCards): Promise<Response> {
  return submit(sandbox, session, { ...buyer, ...card, ccnumber: testCards[name].number });
}

/** Opens the page that a submitted form redirects to, as often as a buyer comes back to it. */
function follow(sandbox: Sandbox, submitted: Response): Promise<Response> {
  expect(submitted.status).toBe(303);
  return sandbox.fetch(new Request(`${sandbox.url}${submitted.headers.get('location')}`));
}

/** Returns the id of the challenge that a page shows. */
async function challengeOn(page: Response): Promise<string> {
  const [, id = ''] = /<input type="hidden" name="challenge" value="(\w+)"/.exec(await page.text()) ?? [];
  return id;
}

/** Pays with a card that the bank asks about. */
async function reachStep(
  options?: Parameters<typeof start>[0],
  fields: Readonly<Record<string, string>> = {},
) {
  const { sandbox, session } = start(options);
  const ccnumber = testCards.challengeRequired.number;
  const submitted = await submit(sandbox, session, { ...buyer, ...card, ccnumber, ...fields });
  const step = await follow(sandbox, submitted);
  const page = await step.clone().text();
  const challenge = await challengeOn(step);
  const answer = (text: string) => submit(sandbox, session, { challenge, answer: text });
  return { sandbox, session, submitted, step, page, challenge, answer };
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
  const refused = await follow(sandbox, await payWith(sandbox, session, 'authenticationFailed'));
  const page = await refused.text();
  expect(refused.status).toBe(402);
  expect(page).toContain('Your bank could not verify you');
  expect(page).toContain('value="ada@example.com"');
  expect(typesOf(sandbox)).toEqual(['checkout.session.created']);
  expect((await payWith(sandbox, session, 'fullMatch')).status).toBe(303);
});

it("shows a challenge before the payment, and stores neither the card nor the buyer's input", async () => {
  const { sandbox, session, step, challenge, page } = await reachStep();
  expect(step.status).toBe(200);
  expect(challenge).toMatch(/^\w+$/);
  expect(sandbox.get('checkout_session', session.id)).toMatchObject({
    status: 'open',
    payment_intent_id: null,
  });
  for (const text of [JSON.stringify(sandbox.snapshot()), page]) {
    expect(text).not.toContain(testCards.challengeRequired.number);
    expect(text).not.toContain(buyer.email);
  }
});

it('pays once after the buyer confirms', async () => {
  const { sandbox, session, submitted, answer } = await reachStep();
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
  expect(await (await follow(sandbox, submitted)).text()).toContain('Your payment is complete');
});

it.each([
  ['failed', 'Your bank could not verify you'],
  ['unanswered', 'You canceled your bank’s verification'],
  ['nonsense', 'You canceled your bank’s verification'],
])('charges nothing for the answer %s, and lets the buyer retry', async (text, words) => {
  const { sandbox, session, submitted, answer } = await reachStep();
  const refused = await answer(text);
  const late = await answer('passed');
  // The address of the challenge shows the same, so the browser can reload it and come back to it.
  for (const response of [refused, late, submitted]) {
    const page = await follow(sandbox, response);
    expect([page.status, await page.text()]).toEqual([402, expect.stringContaining(words)]);
  }
  expect(await (await follow(sandbox, refused)).text()).toContain(`value="${buyer.email}"`);
  expect(typesOf(sandbox)).toEqual(['checkout.session.created']);
  const step = await follow(sandbox, await payWith(sandbox, session, 'challengeRequired'));
  const paid = await submit(sandbox, session, { challenge: await challengeOn(step), answer: 'passed' });
  expect([paid.status, paid.headers.get('location')]).toEqual([303, urls.success_url]);
});

it('says why the card was declined after the buyer confirmed', async () => {
  const { sandbox, answer } = await reachStep({}, { ccexp: '12/25' });
  const declined = await follow(sandbox, await answer('passed'));
  expect([declined.status, await declined.text()]).toEqual([
    402,
    expect.stringContaining('Your card has expired'),
  ]);
  // The same answer again, as after Back, is no second attempt.
  expect((await answer('passed')).status).toBe(303);
  expect(typesOf(sandbox).filter((type) => type === 'payment_intent.payment_failed')).toHaveLength(1);
});

it('accepts the answer for its own session only', async () => {
  const { sandbox, challenge, answer } = await reachStep();
  const other = sandbox.add('checkout_session', urls);
  const refused = await follow(sandbox, await submit(sandbox, other, { challenge, answer: 'passed' }));
  const page = await refused.text();
  expect(refused.status).toBe(402);
  expect(page).toContain('verification has expired');
  expect(page).not.toContain(buyer.name);
  expect(typesOf(sandbox)).not.toContain('payment_intent.succeeded');
  // Its own session still waits for it.
  expect((await answer('passed')).headers.get('location')).toBe(urls.success_url);
  expect(sandbox.get('checkout_session', other.id)?.payment_status).toBe('unpaid');
});

it('ends after 15 minutes', async () => {
  const { sandbox, answer } = await reachStep();
  await sandbox.clock.advance('15 minutes');
  const late = await follow(sandbox, await answer('passed'));
  expect([late.status, await late.text()]).toEqual([
    402,
    expect.stringContaining('verification has expired'),
  ]);
});

it('ends with the process, which alone has the input of the buyer', async () => {
  const { sandbox, session, challenge } = await reachStep();
  const copy = sandbox.fork();
  const late = await follow(copy, await submit(copy, session, { challenge, answer: 'passed' }));
  expect([late.status, await late.text()]).toEqual([
    402,
    expect.stringContaining('verification has expired'),
  ]);
  expect(typesOf(copy)).not.toContain('payment_intent.succeeded');
});

it('charges nothing for a session that expires meanwhile, and says so', async () => {
  const { sandbox, submitted, answer } = await reachStep();
  await sandbox.clock.advance('24 hours');
  const late = await answer('passed');
  expect([late.status, await late.text()]).toEqual([
    410,
    expect.stringContaining('This checkout has expired'),
  ]);
  expect(await (await follow(sandbox, submitted)).text()).toContain('This checkout has expired');
  expect(typesOf(sandbox)).toEqual(['checkout.session.created', 'checkout.session.expired']);
});
