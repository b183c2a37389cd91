import { execFile } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { testCards } from 'payments-client/sandbox';
import { beforeAll, describe, expect, it } from 'vitest';
import { exportOf, type RecordedStory, recordedStories } from './recorded-stories.ts';

/** The folder of exported tests, from which they import the package as an app does. */
const folder = fileURLToPath(new URL('../../../.tmp/exported-stories/', import.meta.url));
const root = fileURLToPath(new URL('../../../', import.meta.url));

const config = `
import { alias } from '../../vitest.config.ts';
export default { resolve: { alias }, test: { include: ['.tmp/exported-stories/*.test.ts'], isolate: false, maxWorkers: 1 } };
`;

interface Report {
  readonly testResults: readonly {
    readonly name: string;
    readonly message: string;
    readonly assertionResults: readonly {
      readonly status: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}

const names = Object.keys(recordedStories);
const fileOf = (name: string) => `${name.replaceAll(/\W+/g, '-')}.test.ts`;

const results = new Map<string, string>();

function outcomeOf({ message, assertionResults: [result] }: Report['testResults'][number]): string {
  if (result === undefined) return message;
  return result.status === 'passed' ? 'passed' : result.failureMessages.join('\n');
}

async function runAll(): Promise<void> {
  const output = `${folder}report.json`;
  const args = ['run', '--config', `${folder}vitest.config.ts`, '--reporter=json', `--outputFile=${output}`];
  const vitest = fileURLToPath(
    new URL('node_modules/vitest/vitest.mjs', new URL('../../../', import.meta.url)),
  );
  await promisify(execFile)(process.execPath, [vitest, ...args], { cwd: root }).catch(() => {});
  const report: Report = JSON.parse(await readFile(output, 'utf8'));
  for (const file of report.testResults) {
    results.set(file.name.split('/').at(-1) ?? '', outcomeOf(file));
  }
}

describe('an exported story', { timeout: 240_000 }, () => {
  beforeAll(async () => {
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true });
    await writeFile(`${folder}vitest.config.ts`, config);
  });

  it('is a test file that Vitest runs', async () => {
    for (const name of names) {
      const story = recordedStories[name];
      if (story === undefined) continue;
      await writeFile(
        folder + fileOf(name),
        await exportOf(story).catch((error: unknown) => `// ${name}\n${String(error)}`),
      );
    }
    const lost = await readFile(folder + fileOf(names[0] ?? ''), 'utf8');
    await writeFile(`${folder}another-verdict.test.ts`, lost.replace('charges: 1', 'charges: 2'));
    await runAll();
  });

  it('takes an id from the response of an earlier call', async () => {
    const story = await exportOf({
      make: async ({ sandbox, payments }) => {
        const intent = await payments.paymentIntents.create(
          { amount: 5500, currency: 'USD' },
          { operationId: 'a' },
        );
        sandbox.pay(intent.id);
        return 'a';
      },
    });
    expect(story).toContain('sandbox.pay(intent.id)');
  });

  it.each(names)('replays: %s', (name) => {
    expect(results.get(fileOf(name))).toBe('passed');
  });

  it('fails for another verdict', () => {
    expect(results.get('another-verdict.test.ts')).toContain('to match object');
  });
});

describe('a story that cannot be replayed', () => {
  const refused: readonly (readonly [string, string, RecordedStory])[] = [
    [
      'a snapshot was restored while it happened',
      'a snapshot was restored',
      {
        make: async ({ sandbox, payments }) => {
          const intent = await payments.paymentIntents.create(
            { amount: 5500, currency: 'USD' },
            { operationId: 'a' },
          );
          sandbox.restore(sandbox.snapshot());
          sandbox.pay(intent.id);
          return 'a';
        },
      },
    ],
    [
      'its first entries were dropped',
      'its first entries were dropped',
      {
        make: async ({ sandbox, payments }) => {
          const intent = await payments.paymentIntents.create(
            { amount: 5500, currency: 'USD' },
            { operationId: 'a' },
          );
          for (let count = 0; count < 4_000; count += 1) sandbox.faults.clear();
          sandbox.pay(intent.id);
          return intent.id;
        },
      },
    ],
    [
      'it is about a subscription from before',
      'existed before it began',
      {
        make: async ({ sandbox, payments }) => {
          // Sample data is not recorded.
          sandbox.seed({ customers: 20, intents: 0, seed: 'earlier' });
          const [subscription] = await payments.subscriptions.list().toArray({ max: 1 });
          await payments.subscriptions.cancel(subscription?.id ?? '');
          return subscription?.id ?? '';
        },
      },
    ],
    [
      'a buyer failed 3-D Secure on the checkout page',
      'the buyer failed 3-D Secure',
      {
        make: async ({ sandbox, payments }) => {
          const { id } = await payments.checkoutSessions.create(
            {
              mode: 'payment',
              line_items: [{ name: 'Tea', amount: 1200, currency: 'usd', quantity: 1 }],
              success_url: 'https://shop.example/paid',
              cancel_url: 'https://shop.example/cart',
            },
            { operationId: 'a' },
          );
          const body = new URLSearchParams({
            name: 'Ada Lovelace',
            email: 'ada@example.com',
            ccexp: '1230',
            cvv: '123',
            billing_country: 'US',
            billing_postal_code: '94107',
            ccnumber: testCards.authenticationFailed.number,
          });
          await fetch(sandbox.checkoutUrl(id), { method: 'POST', body, redirect: 'manual' });
          return 'a';
        },
      },
    ],
    [
      'a body was not recorded completely',
      'the body of request 1 was not recorded completely',
      {
        make: async ({ sandbox, payments }) => {
          const metadata = Object.fromEntries(
            Array.from({ length: 40 }, (_, index) => [`note_${index}`, 'tea '.repeat(120)]),
          );
          const intent = await payments.paymentIntents.create(
            { amount: 5500, currency: 'USD', metadata },
            { operationId: 'a' },
          );
          sandbox.pay(intent.id);
          return 'a';
        },
      },
    ],
    [
      'other sales decided about it',
      'a velocity rule declined it',
      {
        options: {
          velocityRules: [
            { name: 'one', per: 'ip', windowMs: 60_000, counts: 'attempts', limit: 1, action: 'block' },
          ],
        },
        make: async ({ payments }) => {
          for (const orderid of ['a', 'b']) {
            await payments.transact.sale({
              amount: '5.00',
              payment_token: `tok_${orderid}`,
              ipaddress: '192.0.2.1',
              orderid,
            });
          }
          return 'b';
        },
      },
    ],
  ];

  it.each(refused)('is rejected with the reason: %s', async (_, reason, story) => {
    const refusal = exportOf(story);
    await expect(refusal).rejects.toThrow('STORY_NOT_WHOLE');
    await expect(refusal).rejects.toThrow(reason);
  });

  it('is unknown', async () => {
    await expect(exportOf({ make: async () => 'order-1' })).rejects.toThrow("There is no story 'order-1'.");
  });
});
