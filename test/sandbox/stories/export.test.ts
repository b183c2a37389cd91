/** An exported story repeats what was recorded, or says why it cannot. */

import { PaymentsClient } from 'payments-client';
import { createSandbox, type Sandbox, testCards } from 'payments-client/sandbox';
import { createTestClient } from 'payments-client/testing';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { everyNth } from '../../support/size.ts';
import { effectsOf, exportedText, exportOf, record, runExported } from './exported-story.ts';
import { type RecordedStory, recordedStories } from './recorded-stories.ts';

const tea = { amount: 5500, currency: 'USD' };
const order = { operationId: 'order-100' };

interface Shop {
  readonly sandbox: Sandbox;
  readonly payments: PaymentsClient;
}

async function paid({ sandbox, payments }: Shop): Promise<string> {
  const intent = await payments.paymentIntents.create(tea, order);
  sandbox.pay(intent.id);
  return 'order-100';
}

/** Sends a sale with a card number, as some forms do. */
async function saleByNumber({ payments }: Shop, ccnumber: string): Promise<string> {
  const card = { ccnumber, ccexp: '1230', cvv: '987' };
  await payments.transact.sale({ amount: '55.00', orderid: 'order-100', ...card });
  return 'order-100';
}

describe('an exported story', () => {
  it.each(everyNth(Object.entries(recordedStories), 3))(
    'makes the recorded changes and deliveries: %s',
    async (_, story) => {
      const recorded = await record(story);
      const replayed = await runExported(await exportedText(recorded));
      expect(await effectsOf(replayed)).toEqual(await effectsOf(recorded));
    },
  );

  it('leaves out what a restore undid', async () => {
    const recorded = await record({
      make: async ({ sandbox, payments }) => {
        const { id } = await payments.paymentIntents.create(tea, order);
        const unpaid = sandbox.snapshot();
        sandbox.pay(id);
        await sandbox.clock.advance('1 hour');
        sandbox.restore(unpaid);
        await payments.paymentIntents.confirm(id, { payment_method: 'pm_card_visa' }, order);
        return 'order-100';
      },
    });
    const replayed = await runExported(await exportedText(recorded));
    expect(await effectsOf(replayed)).toEqual(await effectsOf(recorded));
  });

  it('fails for another verdict', async () => {
    const text = await exportOf({ make: paid });
    await expect(runExported(text.replace('"charges": 1', '"charges": 2'))).rejects.toThrow(
      'to match object',
    );
  });

  it('fails when a request gets another status', async () => {
    const text = await exportOf({ make: paid });
    await expect(runExported(text.replace('"amount": 5500', '"amount": -1'))).rejects.toThrow(
      'replay: entry 1: expected POST /v1/payment_intents to get the recorded status 200, got 400.',
    );
  });

  it('has an entry a line, with a comment of what happened', async () => {
    const text = await exportOf({ make: paid });
    expect(text).toContain(
      [
        '    // Status 200: payment_intent is requires_payment_method.',
        '    { "n": 1, "request": "POST /v1/payment_intents", "key": "pc1:paymentIntents.create:order-100", "body": { "amount": 5500, "currency": "USD" }, "status": 200 },',
        '    // charge is succeeded, payment_intent is succeeded.',
        '    { "n": 2, "command": "pay", "args": { "id": "@1.payment_intent" } },\n',
      ].join('\n'),
    );
  });

  it('names a test card, and holds no number, token or code', async () => {
    const { number } = testCards.cvvMismatch;
    const text = await exportOf({
      make: async (shop) => {
        const payment_token = await shop.sandbox.tokenize({ ccnumber: number, ccexp: '1230', cvv: '987' });
        await shop.payments.transact.sale({ amount: '55.00', payment_token, orderid: 'order-100' });
        await shop.payments.transact.sale({
          amount: '1.00',
          payment_token: 'tok_mine',
          orderid: 'order-100',
        });
        return saleByNumber(shop, number);
      },
    });
    expect(text).toContain('"payment_token": "[card:cvvMismatch]"');
    expect(text).toContain('"ccnumber": "[card:cvvMismatch]"');
    expect(text).not.toMatch(new RegExp(`${number}|tok_|"987"|"1230"|security_key`));
  });

  it('refers to the second object of a kind that one entry made', async () => {
    const name = 'a subscription that renews, and a payment of the second of two invoices';
    const story = recordedStories[name];
    expect(story && (await exportOf(story))).toMatch(/"id": "@\d+\.invoice#2"/);
  });

  it('repeats the time of a running clock, and what fell due in it', async () => {
    vi.useFakeTimers();
    onTestFinished(() => {
      vi.useRealTimers();
    });
    const sandbox = createSandbox({ clock: 'running' });
    // Recording begins with the first look at it.
    sandbox.story('order-100');
    let isDown = true;
    sandbox.webhooks.deliverTo(() => new Response(null, { status: isDown ? 503 : 200 }));
    const { url: baseUrl, secretKey, fetch } = sandbox;
    const payments = new PaymentsClient({ baseUrl, secretKey, fetch });
    const intent = await payments.paymentIntents.create(tea, order);
    await vi.advanceTimersByTimeAsync(400_000);
    isDown = false;
    await payments.paymentIntents.confirm(intent.id, { payment_method: 'pm_card_visa' }, order);
    await vi.advanceTimersByTimeAsync(4_000_000);
    vi.useRealTimers();
    const text = await exportedText({ sandbox, id: 'order-100' });
    const replayed = await runExported(text);
    expect(text).toMatch(/"n": 3, "after": 4\d{5}, "request"/);
    expect(await effectsOf(replayed)).toEqual(await effectsOf({ sandbox, id: 'order-100' }));
    await sandbox.close();
  });
});

describe('a story that cannot be replayed', () => {
  const refused: readonly (readonly [name: string, reason: string, story: RecordedStory])[] = [
    [
      'its first entries were dropped',
      'its first entries were dropped',
      {
        make: async ({ sandbox, payments }) => {
          const intent = await payments.paymentIntents.create(tea, order);
          for (let count = 0; count < 4_000; count += 1) sandbox.faults.clear();
          sandbox.pay(intent.id);
          return intent.id;
        },
      },
    ],
    [
      'a body is longer than what is recorded',
      'the body of request 1 is longer than the 16 KB that are recorded',
      {
        make: async ({ sandbox, payments }) => {
          const notes = Array.from({ length: 40 }, (_, index) => [`note_${index}`, 'tea '.repeat(120)]);
          const params = { ...tea, metadata: Object.fromEntries(notes) };
          const intent = await payments.paymentIntents.create(params, order);
          sandbox.pay(intent.id);
          return 'order-100';
        },
      },
    ],
    [
      'its transaction is older than the recording',
      'existed before the recording began, and only a request makes a transaction',
      {
        make: async ({ sandbox, payments }) => {
          const { payments: earlier, sandbox: other } = createTestClient();
          const { transactionid } = await earlier.transact.sale({ amount: '55.00', payment_token: 'tok_1' });
          sandbox.restore(other.snapshot());
          await payments.transact.refund({ transactionid, amount: '5.00' });
          return transactionid;
        },
      },
    ],
    [
      'a card number is no test card',
      'the card of request 1 is no test card',
      { make: (shop) => saleByNumber(shop, '4111111111111111') },
    ],
    [
      'a token is of no test card',
      'the card of request 2 is no test card',
      {
        make: async ({ sandbox, payments }) => {
          const payment_token = await sandbox.tokenize({ ccnumber: '4111111111111111', ccexp: '1230' });
          await payments.transact.sale({ amount: '55.00', payment_token, orderid: 'order-100' });
          return 'order-100';
        },
      },
    ],
  ];

  it.each(refused)('is refused with the reason: %s', async (_, reason, story) => {
    const refusal = exportOf(story);
    await expect(refusal).rejects.toThrow('STORY_NOT_WHOLE');
    await expect(refusal).rejects.toThrow(reason);
  });

  it('is unknown', async () => {
    await expect(exportOf({ make: async () => 'order-1' })).rejects.toThrow("There is no order 'order-1'.");
  });
});
