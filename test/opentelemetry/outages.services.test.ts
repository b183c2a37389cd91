/** Every total outage pages within five minutes and until its end, and nothing that is no outage pages anybody. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { resolve } from 'node:path';
import { PaymentsClient, type PaymentsClientOptions } from 'payments-client';
import { createJournal } from 'payments-client/journal';
import { openTelemetry } from 'payments-client/opentelemetry';
import { memoryStore } from 'payments-client/stores';
import { createSandbox } from 'payments-client-sandbox';
import { generate } from 'selfsigned';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { delivery, eventOf, webhooksAt } from '../support/deliveries.ts';
import { skipBackOff } from '../support/mock-service.ts';
import { serve } from '../support/serve.ts';
import { skipWithout } from '../support/skip.ts';
import { closedUrl, listen } from '../support/socket-server.ts';
import { startExporter } from './exporter.ts';
import { differenceOf, hasPromtool, type Phase } from './promtool.ts';

const ruleFile = resolve('docs/alerts.yml');
const { isSkipped, why } = skipWithout(
  hasPromtool(),
  'promtool of Prometheus',
  'test/opentelemetry/outages.services.test.ts',
);

/** Whose numbers of calls a scrape has: a shop with one process, whose calls go to a service that is well or sick. */
async function startShop() {
  skipBackOff();
  const { meterProvider, server } = await startExporter();
  const clock = { ahead: 0 };
  const monotonic = performance.now.bind(performance);
  vi.spyOn(performance, 'now').mockImplementation(() => monotonic() + clock.ahead);

  const telemetry = openTelemetry({ meterProvider });
  const store = memoryStore();
  const { url: baseUrl, secretKey, fetch: toSandbox } = createSandbox();
  const clientOf = (options: PaymentsClientOptions) =>
    new PaymentsClient({ baseUrl, secretKey, fetch: toSandbox, hooks: telemetry.hooks, ...options });
  const well = clientOf({});
  const journaled = clientOf({ journal: createJournal({ store }) });
  const webhooks = webhooksAt({ instrument: telemetry.instrument });
  const receiver = webhooks.receiver({ store, consumer: 'billing', onEvent: () => {}, onError: () => {} });
  telemetry.watch({ journal: journaled.journal, receivers: [receiver] });

  let count = 0;
  const buy = async ({ paymentIntents }: PaymentsClient, payment_method = 'pm_card_visa') => {
    count += 1;
    const by = { operationId: `order-${count}` };
    const { id } = await paymentIntents.create({ amount: 1200, currency: 'usd' }, by);
    await paymentIntents.confirm(id, { payment_method }, by);
  };
  const hear = async () => {
    count += 1;
    await receiver.handle(await delivery(eventOf('payment_intent.succeeded', { id: `evt_${count}` })));
  };
  const scrape = async () => (await fetch(server.url)).text();
  /** Returns the scrapes around what happens in a minute. */
  const minuteOf = async (act: () => Promise<unknown>): Promise<readonly [string, string]> => {
    const first = await scrape();
    await act();
    return [first, await scrape()];
  };
  return { clock, store, toSandbox, clientOf, well, journaled, buy, hear, minuteOf };
}

type Shop = Awaited<ReturnType<typeof startShop>>;

/** Three customers a minute, all of whom fail. */
const failing = (shop: Shop, client: PaymentsClient) => async () => {
  for (const _customer of [1, 2, 3])
    await expect(shop.buy(client)).rejects.toMatchObject({ callId: expect.anything() });
};

/** A service on loopback whose every response is the same. */
function answering(status: number, body: object = {}) {
  return async (shop: Shop) => {
    const respond = (_request: IncomingMessage, response: ServerResponse) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    const { url, close } = await serve(respond);
    onTestFinished(close);
    return failing(shop, shop.clientOf({ baseUrl: url, fetch: undefined }));
  };
}

const unreachable = (baseUrl: string) => async (shop: Shop) =>
  failing(shop, shop.clientOf({ baseUrl, fetch: undefined }));

const storeMethods = ['claim', 'find', 'open'] as const;

/** What happens in each minute of an outage, and the alarms that page within five. */
const outages: Readonly<
  Record<string, readonly [alarms: readonly string[], start: (shop: Shop) => Promise<() => Promise<void>>]>
> = {
  'refused connections': [['PaymentsFailing'], unreachable(closedUrl)],
  'a name that nobody resolves': [['PaymentsFailing'], unreachable('https://payments.invalid')],
  'a certificate that nobody trusts': [
    ['PaymentsFailing'],
    async (shop) => {
      const { private: key, cert } = await generate([{ name: 'commonName', value: 'localhost' }]);
      const url = `https://localhost:${await listen(createSecureServer({ key, cert }))}`;
      return failing(shop, shop.clientOf({ baseUrl: url, fetch: undefined }));
    },
  ],
  'a 401': [['PaymentsFailing'], answering(401)],
  'a 429': [['PaymentsFailing'], answering(429)],
  'a 500': [['PaymentsFailing'], answering(500)],
  'a 503 IDEMPOTENCY_STORE_UNAVAILABLE': [
    ['PaymentsFailing'],
    answering(503, { code: 'IDEMPOTENCY_STORE_UNAVAILABLE' }),
  ],
  'a page instead of JSON': [['PaymentsFailing'], answering(200)],
  'a 400': [['PaymentsRejected'], answering(400)],
  'a 404': [['PaymentsRejected'], answering(404)],
  'answers after 9 s': [
    ['PaymentsFailing'],
    async ({ clock, toSandbox, clientOf, buy }) => {
      const slow = clientOf({
        fetch: (request) => {
          clock.ahead += 9000;
          return toSandbox(request);
        },
      });
      return async () => {
        for (const _customer of [1, 2]) await buy(slow);
      };
    },
  ],
  'every card declined': [
    ['PaymentsDeclined'],
    async ({ well, buy }) =>
      async () => {
        for (const _customer of [1, 2, 3])
          await expect(buy(well, 'pm_card_declined')).rejects.toMatchObject({ name: 'PaymentDeclinedError' });
      },
  ],
  "the journal's store down": [
    ['PaymentsFailing', 'PaymentsStoreDown'],
    async (shop) => {
      const down = new Error('the database is down');
      for (const method of storeMethods) vi.spyOn(shop.store, method).mockRejectedValue(down);
      return failing(shop, shop.journaled);
    },
  ],
};

const quiet = async () => {};

/** All outages are over, but the counters have them. */
async function suffer(shop: Shop): Promise<void> {
  for (const [, start] of Object.values(outages)) await (await start(shop))();
  for (const method of storeMethods) vi.mocked(shop.store[method]).mockRestore();
}

const trade =
  ({ well, buy, hear }: Shop, customers = 3) =>
  async () => {
    for (let customer = 0; customer < customers; customer += 1) {
      await buy(well);
      await hear();
    }
  };

const paging = 'ALERTS{alertstate="firing", severity="page"}';
const lengthOf = (phases: readonly Phase[]) => phases.reduce((sum, { minutes }) => sum + minutes, 0);
const both = (phases: readonly Phase[]) => ({ exported: phases, collected: phases });

/** What pages at the end of a minute. */
const pagesAt = (minute: number, alarms: readonly string[]) => ({
  expr: `group by (job, alertname) (${paging})`,
  minute,
  samples: alarms.map((alarm) => [`alertname="${alarm}", `, 1] as const),
});

/** Nobody is paged in any minute. */
const pagesNobody = (phases: readonly Phase[]) => {
  const minute = lengthOf(phases) - 1;
  return {
    expr: `group by (job, alertname) (max_over_time(${paging}[${minute + 1}m]))`,
    minute,
    samples: [],
  };
};

/** An alarm pages in each minute of the last ones. */
const pagesThroughout = (phases: readonly Phase[], minutes: number, alarm = '.+') => {
  const ringing = `group by (job) (ALERTS{alertstate="firing", severity="page", alertname=~"${alarm}"})`;
  const expr = `count_over_time((${ringing})[${minutes}m:1m]) >= bool ${minutes}`;
  return { expr, minute: lengthOf(phases) - 1, samples: [['', 1]] as const };
};

const hours = 60;

describe.skipIf(isSkipped)(`the alarms for Prometheus${why}`, () => {
  it.each(Object.entries(outages))('page within five minutes of %s', async (_what, [alarms, start]) => {
    const shop = await startShop();
    const usual = await shop.minuteOf(trade(shop));
    const outage = await start(shop);
    // The first minute creates the series.
    const first = await shop.minuteOf(outage);
    const phases = [
      { minutes: 2 * hours, scrapes: usual },
      { minutes: 1, scrapes: first },
      { minutes: 4, scrapes: await shop.minuteOf(outage) },
    ];
    const last = lengthOf(phases) - 1;
    const expected = [pagesAt(2 * hours - 1, []), pagesAt(last, alarms)];
    expect(await differenceOf(ruleFile, both(phases), expected)).toBeUndefined();
  });

  it.each([
    ['a 500', ['PaymentsFailing']],
    // Intents are still made, but no event comes.
    ['every card declined', ['PaymentsDeclined', 'PaymentsWebhookSilent']],
  ])('page until the end of a day of %s', async (what, alarms) => {
    const shop = await startShop();
    const usual = await shop.minuteOf(trade(shop));
    const outage = (await outages[what]?.[1](shop)) ?? quiet;
    const first = await shop.minuteOf(outage);
    const phases = [
      { minutes: 3 * hours, scrapes: usual },
      { minutes: 1, scrapes: first },
      { minutes: 26 * hours - 1, scrapes: await shop.minuteOf(outage) },
    ];
    const expected = alarms.map((alarm) => pagesThroughout(phases, 24 * hours - 10, alarm));
    expect(await differenceOf(ruleFile, { exported: phases }, expected)).toBeUndefined();
  });

  it('page when no process has metrics any more', async () => {
    const shop = await startShop();
    const usual = await shop.minuteOf(trade(shop));
    const gone = { minutes: 2 * hours, scrapes: usual, isHidden: true };
    const phases = [{ minutes: hours, scrapes: usual }, gone];
    // The alarm is of no job.
    const expr =
      'group by (job) (up offset 2h) and on () ALERTS{alertstate="firing", alertname="PaymentsAbsent"}';
    const expected = [{ expr, minute: lengthOf(phases) - 1, samples: [['', 1]] as const }];
    expect(await differenceOf(ruleFile, both(phases), expected)).toBeUndefined();
  });

  describe('of a shop with ten calls an hour', () => {
    const rare = { every: 6 };

    it('page within 40 minutes of an outage, and until its end', async () => {
      const shop = await startShop();
      const create = (client: PaymentsClient) => () => shop.buy(client).catch(() => {});
      const usual = await shop.minuteOf(() => shop.well.customers.create({ first_name: 'Ada' }));
      const sick = shop.clientOf({ baseUrl: closedUrl, fetch: undefined });
      await create(sick)();
      const phases = [
        { minutes: 7 * hours, scrapes: usual, ...rare },
        { minutes: 24 * hours, scrapes: await shop.minuteOf(create(sick)), ...rare },
      ];
      const expected = [pagesThroughout(phases, 24 * hours - 40)];
      expect(await differenceOf(ruleFile, { exported: phases }, expected)).toBeUndefined();
    });

    it.each(['refused connections', 'a 404', 'answers after 9 s', 'every card declined'])(
      'page nobody for a minute of %s',
      async (what) => {
        const shop = await startShop();
        const scrapes = await shop.minuteOf(trade(shop, 1));
        const outage = await outages[what]?.[1](shop);
        const phases = [
          { minutes: 3 * hours, scrapes, ...rare },
          { minutes: 1, scrapes: await shop.minuteOf(outage ?? quiet) },
          { minutes: 3 * hours, scrapes, ...rare },
        ];
        expect(await differenceOf(ruleFile, { exported: phases }, [pagesNobody(phases)])).toBeUndefined();
      },
    );
  });

  it.each<[what: string, phases: (shop: Shop) => Promise<readonly Phase[]>]>([
    [
      'a gap of 66 minutes in the scrapes',
      async (shop) => {
        await suffer(shop);
        const scrapes = await shop.minuteOf(trade(shop));
        return [
          { minutes: 3 * hours, scrapes },
          { minutes: 66, scrapes, isHidden: true },
          { minutes: 3 * hours, scrapes },
        ];
      },
    ],
    [
      'a new Prometheus, which sees the failures of a week at once',
      async (shop) => {
        await suffer(shop);
        return [{ minutes: 3 * hours, scrapes: await shop.minuteOf(trade(shop)) }];
      },
    ],
    [
      'a new process',
      async (shop) => {
        await suffer(shop);
        const scrapes = await shop.minuteOf(trade(shop));
        return [
          { minutes: 3 * hours, scrapes },
          { minutes: 3 * hours, scrapes, isNewProcess: true },
        ];
      },
    ],
    [
      'a process that starts in a quiet night',
      async (shop) => [{ minutes: 8 * hours, scrapes: await shop.minuteOf(quiet) }],
    ],
    [
      'a quiet night',
      async (shop) => [
        { minutes: 3 * hours, scrapes: await shop.minuteOf(trade(shop)) },
        { minutes: 9 * hours, scrapes: await shop.minuteOf(quiet) },
        { minutes: hours, scrapes: await shop.minuteOf(trade(shop)) },
      ],
    ],
  ])('page nobody for %s', async (_what, phasesOf) => {
    const phases = await phasesOf(await startShop());
    expect(await differenceOf(ruleFile, { exported: phases }, [pagesNobody(phases)])).toBeUndefined();
  });
});
