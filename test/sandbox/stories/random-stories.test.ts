/** Whatever happens in a sandbox, each exported story makes the recorded changes and deliveries. */

import { type Sandbox, testCards } from 'payments-client/sandbox';
import { expect, it } from 'vitest';
import { clientOf, pageOf, startSandbox } from '../../support/sandbox.ts';
import { bySize } from '../../support/size.ts';
import { effectsOf, exportedText, runExported } from './exported-story.ts';

/** Returns numbers from 0 to 1 that depend on a seed alone. */
function numbersOf(seed: number): () => number {
  let state = seed * 104_729;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
}

const faults = [
  { kind: 'drop_reply' },
  { kind: 'drop_request' },
  { kind: 'bad_gateway', committed: true },
  { kind: 'truncate_body' },
  { kind: 'unavailable', probability: 0.5, times: 3 },
  { kind: 'rate_limit', skip: 1 },
  { kind: 'drop_delivery' },
  { kind: 'duplicate_delivery', times: 2 },
  { kind: 'delay_delivery', by: '1 hour' },
  { kind: 'tamper_delivery' },
] as const;
const cards = ['fullMatch', 'stolenCard', 'cvvMismatch', 'authenticationFailed', 'frictionless'] as const;
const pages = { success_url: 'https://shop.example/paid', cancel_url: 'https://shop.example/cart' };

/** Lets three orders happen at once. An action that the state does not allow fails, as it may. */
async function happen(sandbox: Sandbox, seed: number): Promise<void> {
  const next = numbersOf(seed);
  const pick = <T>(list: readonly T[]): T | undefined => list[Math.floor(next() * list.length)];
  const payments = clientOf(sandbox, { maxRetries: 0 });
  const newest = async <T>(list: { toArray(options: { max: number }): Promise<readonly T[]> }) =>
    pick(await list.toArray({ max: 3 }));
  const card = () => ({ ccnumber: testCards[pick(cards) ?? 'fullMatch'].number, ccexp: '1230', cvv: '123' });
  const operation = () => ({ operationId: `order-${pick(['a', 'b', 'c'])}` });
  const actions: readonly (() => unknown)[] = [
    () => payments.paymentIntents.create({ amount: 1200, currency: 'USD' }, operation()),
    async () => {
      const intent = await newest(payments.paymentIntents.list());
      const payment_method = pick(['pm_card_visa', 'pm_card_declined'] as const);
      await payments.paymentIntents.confirm(intent?.id ?? '', { payment_method }, operation());
    },
    async () => {
      const charge = await newest(payments.charges.list());
      await payments.refunds.create({ charge_id: charge?.id ?? '', amount: 100 }, operation());
    },
    async () => {
      const items = [{ name: 'Tea', amount: 700, currency: 'usd', quantity: 1 }];
      await payments.checkoutSessions.create({ ...pages, mode: 'payment', line_items: items }, operation());
    },
    async () => {
      const session = await newest(payments.checkoutSessions.list());
      const body = new URLSearchParams({ name: 'Ada Lovelace', email: 'ada@example.com', ...card() });
      await fetch(pageOf(sandbox, session?.id ?? ''), { method: 'POST', body, redirect: 'manual' });
    },
    async () => {
      const payment_token = next() < 0.5 ? await sandbox.tokenize(card()) : `tok_${pick(['1', '2'])}`;
      await payments.transact.sale({ amount: '12.00', payment_token, ipaddress: '192.0.2.1' });
    },
    () => payments.transact.void({ transactionid: pick(sandbox.transactions)?.id ?? '' }),
    async () => {
      const customer = await payments.customers.create({ email: 'ada@example.com' });
      const price = await payments.prices.create({ unit_amount: 900, currency: 'USD' });
      const params = { customer: customer.id, items: [{ price: price.id }] };
      await payments.subscriptions.create(params, operation());
    },
    async () => {
      const invoice = await newest(payments.invoices.list());
      sandbox.pay(invoice?.id ?? '', { payment_method: 'pm_card_fails_on_renewal' });
    },
    () => sandbox.clock.advance(pick(['1 minute', '1 hour', '1 day', '31 days']) ?? 0),
    () => sandbox.faults.inject(pick(faults) ?? faults[0]),
    () => sandbox.faults.clear(),
    () => sandbox.settle(),
    () => sandbox.webhooks.replay(pick(sandbox.webhooks.deliveries())?.id ?? ''),
    () => sandbox.webhooks.deliverTo(() => new Response(null, { status: pick([200, 200, 500]) ?? 200 })),
  ];
  for (let count = 0; count < 30; count += 1) {
    await Promise.resolve(pick(actions))
      .then((action) => action?.())
      .catch(() => undefined);
    await sandbox.settled();
  }
}

const seeds = Array.from({ length: bySize({ short: 6, all: 60, long: 1_000 }) }, (_, index) => index + 1);

it.each(seeds)('replays every story of seed %i', async (seed) => {
  const velocityRules = [
    { name: 'v', per: 'ip', windowMs: 3_600_000, counts: 'attempts', limit: 2, action: 'block' },
  ] as const;
  // At midnight a batch would be due at the same time as what expires after a day.
  const startsAt = Date.UTC(2026, 0, 1, 9, 30);
  const options = seed % 3 === 0 ? { velocityRules } : { settlement: 'daily' as const };
  const sandbox = await startSandbox({ startsAt, ...options });
  sandbox.webhooks.deliverTo(() => new Response());
  await happen(sandbox, seed);
  const headers = { authorization: `Bearer ${sandbox.secretKey}` };
  const response = await fetch(`${sandbox.url}/_sandbox/stories?limit=100`, { headers });
  const { data }: { readonly data: readonly { readonly id: string }[] } = JSON.parse(await response.text());
  for (const { id } of data) {
    const replayed = await runExported(await exportedText({ sandbox, id }));
    expect(await effectsOf(replayed)).toEqual(await effectsOf({ sandbox, id }));
  }
});
