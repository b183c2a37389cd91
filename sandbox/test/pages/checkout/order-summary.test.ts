import { expect, it } from 'vitest';
import { show, start, submit } from './support.ts';

it("shows the shop's name on every page", async () => {
  const { sandbox, session } = start({}, { merchantName: 'Tea <House>' });
  const pages = [
    await show(sandbox, session),
    await submit(sandbox, session, {}),
    await show(sandbox, { id: 'cs_1' }),
  ];
  sandbox.pay(session.id);
  for (const response of [...pages, await show(sandbox, session)]) {
    const page = await response.text();
    expect(page).toContain('<bdi>Tea &lt;House></bdi>');
    expect(page).toMatch(/<title>.* · Tea &lt;House><\/title>/);
  }
});

it('shows the price, the period and the dates of a subscription', async () => {
  const { sandbox, session } = start({ mode: 'subscription' });
  const page = await (await show(sandbox, session)).text();
  expect(page).toContain('$12.00 every 30 days, until you cancel');
  expect(page).toContain('today, and again on January 31, 2026');
  expect(page).toContain('Subscribe for $12.00');
});

it('shows the date at which the sandbox renews', async () => {
  const { sandbox, session } = start({ mode: 'subscription' });
  sandbox.pay(session.id);
  const { data } = sandbox.events.find(({ type }) => type === 'subscription.created') ?? {};
  expect(data?.object).toMatchObject({ current_period_end: Date.UTC(2026, 0, 31) / 1000 });
});

it('shows no period for a payment', async () => {
  const { sandbox, session } = start();
  expect(await (await show(sandbox, session)).text()).not.toContain('every');
});
