/** Each alarm of `docs/alerts.yml` rings in Prometheus when its cause happens, and no other does. */

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { PaymentsClient } from 'payments-client';
import { VelocityGuard } from 'payments-client/fraud';
import { createJournal } from 'payments-client/journal';
import { openTelemetry } from 'payments-client/opentelemetry';
import { memoryStore } from 'payments-client/stores';
import type { WebhookEvent } from 'payments-client/webhooks';
import { createSandbox } from 'payments-client-sandbox';
import { describe, expect, it, vi } from 'vitest';
import { delivery, eventOf, now, otherSecret, webhooksAt } from '../support/deliveries.ts';
import { skipWithout } from '../support/skip.ts';
import { startExporter } from './exporter.ts';
import { differenceOf, hasPromtool, type Phase, rangWithin } from './promtool.ts';

const ruleFile = resolve('docs/alerts.yml');
const { isSkipped, why } = skipWithout(
  hasPromtool(),
  'promtool of Prometheus',
  'test/opentelemetry/alerts.services.test.ts',
);

const minute = 60_000;
const monotonic = performance.now.bind(performance);

/** A program with a client, a receiver and a guard, whose metrics Prometheus scrapes. */
async function startShop() {
  const { meterProvider, server } = await startExporter();

  const clock = { now };
  vi.spyOn(Date, 'now').mockImplementation(() => clock.now);
  vi.spyOn(performance, 'now').mockImplementation(() => monotonic() + clock.now - now);

  const telemetry = openTelemetry({ meterProvider });
  const sandbox = createSandbox();
  const { url: baseUrl, secretKey, fetch: toSandbox } = sandbox;
  const common = { baseUrl, fetch: toSandbox, maxRetries: 0, hooks: telemetry.hooks };
  const stored = memoryStore({ now: () => clock.now });
  // As a store on a server tells it.
  const journaled = { ...stored, server: 'first' };
  journaled.claim = async (...args) => ({ ...(await stored.claim(...args)), server: journaled.server });
  const store = {
    fail: () => vi.spyOn(journaled, 'open').mockRejectedValue(new Error('the database is down')),
  };
  const journal = createJournal({ store: journaled, now: () => clock.now });
  const payments = new PaymentsClient({ ...common, secretKey, journal });
  const locked = new PaymentsClient({ ...common, secretKey: `${secretKey}x` });
  const guard = new VelocityGuard({ secret: 'a secret of 16 bytes or more', store: memoryStore() });
  const webhooks = webhooksAt({ now: () => clock.now, instrument: telemetry.instrument });
  const shop = { handle: (_event: WebhookEvent, _attempt: number) => {} };
  const receiver = webhooks.receiver({
    store: memoryStore({ now: () => clock.now }),
    consumer: 'billing',
    onEvent: (event, { attempt }) => shop.handle(event, attempt),
    onError: () => {},
  });
  telemetry.watch({ journal: payments.journal, receivers: [receiver] });

  let count = 0;
  /** A new event that has just happened. */
  const event = (fields: object = {}, type: Parameters<typeof eventOf>[0] = 'refund.failed') => {
    count += 1;
    return eventOf(type, { id: `evt_${count}`, created: new Date(clock.now).toISOString(), ...fields });
  };
  const deliver = async (value: object, sender = webhooks) => receiver.handle(await delivery(value, sender));
  const pay = () => {
    count += 1;
    return payments.paymentIntents.create(
      { amount: 1200, currency: 'usd' },
      { operationId: `order-${count}` },
    );
  };
  const check = async (number = '4111111111111111') => {
    telemetry.countVerdict(await guard.check({ card: { number } }));
  };
  /** A minute of usual traffic. */
  const trade = async () => {
    const delivered = event();
    for (const outcome of ['handled', 'duplicate'])
      expect(await deliver(delivered)).toMatchObject({ outcome });
    expect(await deliver(event({}, 'refund.created'))).toMatchObject({ outcome: 'handled' });
    await pay();
    count += 1;
    await check(`424242424242${String(count).padStart(4, '0')}`);
  };
  const scrape = async () => (await fetch(server.url)).text();
  return {
    shop,
    clock,
    store,
    journaled,
    sandbox,
    event,
    deliver,
    pay,
    check,
    trade,
    scrape,
    payments,
    locked,
  };
}

type Shop = Awaited<ReturnType<typeof startShop>>;
type Cause = (shop: Shop) => unknown;

async function times(count: number, act: (index: number) => unknown) {
  for (let index = 0; index < count; index += 1) await act(index);
}

const fail = () => {
  throw new Error('the database is down');
};

const loseReply: Cause = async ({ sandbox, pay }) => {
  sandbox.faults.inject({ kind: 'drop_reply', operation: 'paymentIntents.create' });
  await expect(pay()).rejects.toMatchObject({ outcome: 'unknown' });
};

const declineCard: Cause = async ({ payments, pay }) => {
  const { id } = await pay();
  const call = payments.paymentIntents.confirm(
    id,
    { payment_method: 'pm_card_declined' },
    { operationId: id },
  );
  await expect(call).rejects.toMatchObject({ name: 'PaymentDeclinedError' });
};

const failDeliveries = (count: number): Cause => {
  return async ({ shop, deliver, event }) => {
    shop.handle = fail;
    await times(count, (index) => deliver(event({}, index % 2 === 0 ? 'refund.failed' : 'refund.created')));
  };
};

const sendForged = (count: number): Cause => {
  const forger = webhooksAt({ secret: otherSecret });
  return ({ deliver, event }) => times(count, () => deliver(event(), forger));
};

const blockChecks =
  (count: number): Cause =>
  ({ check }) =>
    times(3 + count, () => check());

/** What causes each alarm, by its name. */
const causes: Readonly<Record<string, Cause>> = {
  PaymentsFailing: (shop) =>
    times(6, () =>
      expect(shop.locked.products.list()).rejects.toMatchObject({ name: 'AuthenticationError' }),
    ),
  PaymentsRejected: ({ payments }) =>
    times(12, () =>
      expect(payments.refunds.create({ charge_id: 'ch_1' }, { operationId: 'r-1' })).rejects.toMatchObject({
        name: 'UnprocessableError',
      }),
    ),
  PaymentsDeclined: (shop) => times(12, () => declineCard(shop)),
  PaymentsStoreDown: ({ store }) => store.fail(),
  PaymentsWebhookFailed: failDeliveries(6),
  PaymentsWebhookAttempts: async ({ shop, deliver, event }) => {
    shop.handle = (_event, attempt) => (attempt < 4 ? fail() : undefined);
    const failing = event();
    await times(4, () => deliver(failing));
  },
  PaymentsWebhookKept: async ({ shop, clock, deliver, event }) => {
    shop.handle = fail;
    await deliver(event());
    clock.now += 90 * minute;
  },
  PaymentsWebhookRefused: sendForged(20),
  PaymentsWebhookClock: async ({ clock, deliver, event }) => {
    const slow = webhooksAt({ now: () => clock.now - 60 * minute });
    expect(await deliver(event(), slow)).toMatchObject({ outcome: 'refused' });
  },
  PaymentsWebhookDrift: ({ deliver, event }) => deliver(event({ api_version: 7 })),
  PaymentsWebhookSlow: async ({ shop, clock, deliver, event }) => {
    shop.handle = () => {
      clock.now += 45_000;
    };
    await deliver(event());
  },
  PaymentsWebhookLate: ({ clock, deliver, event }) =>
    deliver(event({ created: new Date(clock.now - 120 * minute).toISOString() }, 'customer.created')),
  PaymentsWebhookSilent: () => {},
  PaymentsJournalOld: async (shop) => {
    await loseReply(shop);
    shop.clock.now += 20 * minute;
  },
  PaymentsJournalGrowing: (shop) => times(12, () => loseReply(shop)),
  PaymentsJournalFailedOver: async ({ journaled, pay }) => {
    journaled.server = 'second';
    await pay();
  },
  PaymentsVelocityBlocks: blockChecks(90),
};

/** What grows the journal is also unknown. */
const alsoRings: Readonly<Record<string, string>> = { PaymentsJournalGrowing: 'PaymentsFailing' };

/** Alarms on a state, which needs no past. */
const ofStates = [
  'PaymentsStoreDown',
  'PaymentsWebhookKept',
  'PaymentsWebhookSilent',
  'PaymentsJournalOld',
  'PaymentsJournalGrowing',
  'PaymentsJournalFailedOver',
];

/** What happens in a program. */
interface Story {
  /** Before the scrapes. */
  readonly past?: Cause;
  /** In each minute of usual traffic. */
  readonly each?: Cause | undefined;
  /** After the usual traffic. */
  readonly cause?: Cause | undefined;
  /** What follows: the usual traffic, calls without events, the usual traffic of a new process, or the usual after a gap. */
  readonly next?: keyof typeof afterwards | undefined;
}

/** What rings no alarm. */
const harmless: Readonly<Record<string, Story>> = {
  'usual traffic': {},
  'what happened more than an hour ago': {
    past: async (shop) => {
      for (const [alarm, cause] of Object.entries(causes)) if (!ofStates.includes(alarm)) await cause(shop);
    },
  },
  'a new process': { next: 'restart' },
  'a few failures, refusals, blocks and lost replies': {
    cause: async (shop) => {
      await failDeliveries(3)(shop);
      await sendForged(3)(shop);
      await blockChecks(3)(shop);
      await times(4, () => loseReply(shop));
      await times(9, () => declineCard(shop));
    },
  },
  'as many refusals and blocks as always, around a gap in the scrapes': {
    next: 'gap',
    each: async (shop) => {
      await sendForged(2)(shop);
      await shop.check();
    },
  },
};

/** Minutes of usual traffic until the cause. */
const before = 75;
/** Silence takes 2 hours to notice. */
const afterwards = { usual: 20, silence: 140, restart: 20, gap: 40 };

async function phasesOf({ past, each, cause, next = 'usual' }: Story): Promise<readonly Phase[]> {
  const shop = await startShop();
  const tradeAndScrape = async (trade = shop.trade) => {
    shop.shop.handle = () => {};
    await trade();
    await each?.(shop);
    return shop.scrape();
  };
  await past?.(shop);
  const [first, second] = [await tradeAndScrape(), await tradeAndScrape()];
  await cause?.(shop);
  const third = await shop.scrape();
  const fourth = await tradeAndScrape(next === 'silence' ? async () => void (await shop.pay()) : shop.trade);
  const later = { minutes: afterwards[next], scrapes: [third, fourth] } as const;
  return [
    { minutes: before, scrapes: [first, second] },
    ...(next === 'gap' ? [{ minutes: 66, scrapes: [first, second], isHidden: true } as const] : []),
    { minutes: 1, scrapes: [second, third] },
    { ...later, isNewProcess: next === 'restart' },
  ];
}

const lengthOf = (phases: readonly Phase[]) => phases.reduce((sum, { minutes }) => sum + minutes, 0);

describe.skipIf(isSkipped)(`the alarms for Prometheus${why}`, () => {
  it('each have a cause here, and a row in the runbook', () => {
    const alarms = [...readFileSync(ruleFile, 'utf8').matchAll(/^ +- alert: (\w+)$/gm)].map(
      ([, name]) => name,
    );
    // What causes PaymentsAbsent is in outages.services.test.ts.
    expect([...Object.keys(causes), 'PaymentsAbsent'].toSorted()).toEqual(alarms.toSorted());
    const runbook = readFileSync('docs/runbook.md', 'utf8');
    expect([...runbook.matchAll(/^\| `(Payments\w+)` \|/gm)].map(([, name]) => name)).toEqual(alarms);
  });

  it.each(Object.entries(causes))('%s rings alone, at the first time and later', async (alarm, cause) => {
    const next = alarm === 'PaymentsWebhookSilent' ? 'silence' : 'usual';
    const programs = {
      exported: await phasesOf({ cause, next }),
      collected: await phasesOf({ cause, next, ...(!ofStates.includes(alarm) && { past: cause }) }),
    };
    const ofConsumer = alarm.startsWith('PaymentsWebhook') ? ', messaging_destination_name="billing"' : '';
    const ringing = [alarm, alsoRings[alarm] ?? []].flat();
    const samples = ringing.map((name) => [`alertname="${name}"${ofConsumer}, `, 1] as const);
    const minute = lengthOf(programs.exported) - 1;
    const expected = { expr: rangWithin(minute - before), minute, samples };
    expect(await differenceOf(ruleFile, programs, [expected])).toBeUndefined();
  });

  it.each(Object.entries(harmless))('none rings for %s', async (_what, story) => {
    const phases = await phasesOf(story);
    const minute = lengthOf(phases) - 1;
    const expected = { expr: rangWithin(minute + 1), minute, samples: [] };
    const programs = { exported: phases, collected: phases };
    expect(await differenceOf(ruleFile, programs, [expected])).toBeUndefined();
  });
});
