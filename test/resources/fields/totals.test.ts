/** Sums of lines: of one currency, and exact. Others are refused before they are sent. */

import * as fc from 'fast-check';
import {
  type CheckoutSessionCreateParams,
  type CreditNoteCreateParams,
  InvalidRequestError,
} from 'payments-client';
import { describe, expect, it } from 'vitest';
import { anything } from '../../support/anything.ts';
import { createClient, json } from '../../support/mock-service.ts';

const by = { operationId: 'order-1042' };
const most = Number.MAX_SAFE_INTEGER;
const tooMuch = `lines of at most ${most} minor units in all`;

type SessionLine = CheckoutSessionCreateParams['line_items'][number];
type NoteLine = NonNullable<CreditNoteCreateParams['lines']>[number];

/** Sends a call, and returns whether it was sent and what was refused. */
async function send(call: (payments: ReturnType<typeof createClient>) => PromiseLike<unknown>) {
  let sent = 0;
  const fetch = async () => {
    sent += 1;
    return json({ id: 'x_1' });
  };
  const payments = createClient({ fetch, validation: 'throw' });
  const error: unknown = await Promise.resolve(call(payments)).catch((reason: unknown) => reason);
  const issues = error instanceof InvalidRequestError ? error.issues : [];
  expect(sent).toBe(error instanceof InvalidRequestError ? 0 : 1);
  return issues.map(({ path, expected }) => `${path}: ${expected}`);
}

const session = (...line_items: readonly SessionLine[]) =>
  send(({ checkoutSessions }) => checkoutSessions.create({ mode: 'payment', line_items }, by));
const note = (...lines: readonly NoteLine[]) =>
  send(({ creditNotes }) => creditNotes.create({ invoice: 'inv_1', lines }, by));

const tea = (amount: number, quantity = 1, currency = 'usd') => ({ name: 'Tea', amount, currency, quantity });

describe('the lines of a checkout session', () => {
  it.each([
    ['one line', [tea(1200, 2)]],
    ['the largest total', [tea(most)]],
    ['the largest total of two lines', [tea(most - 2), tea(1, 2)]],
    ['one currency in both cases', [tea(1200, 1, 'usd'), tea(1, 1, 'USD')]],
  ])('are sent with %s', async (_what, lines) => {
    expect(await session(...lines)).toEqual([]);
  });

  it.each<[string, SessionLine[], string]>([
    ['two currencies', [tea(1200), tea(1200, 1, 'jpy')], 'line_items: one currency in all lines'],
    ['a product above 2^53', [tea(2 ** 52, 4)], `line_items: ${tooMuch}`],
    ['a product that is no exact number', [tea(94_906_267, 94_906_267)], `line_items: ${tooMuch}`],
    ['a sum above 2^53', [tea(most), tea(1)], `line_items: ${tooMuch}`],
    [
      'a wrong line alone',
      [tea(most), anything({ ...tea(1), amount: '1' })],
      'line_items[1].amount: an integer in minor units, such as 1250 for 12.50',
    ],
  ])('are refused with %s', async (_what, lines, issue) => {
    expect(await session(...lines)).toEqual([issue]);
  });

  it('are sent exactly if their exact total is a safe integer', async () => {
    const lines = fc.array(fc.tuple(fc.nat(most), fc.integer({ min: 1, max: 2 ** 26 })), {
      minLength: 1,
      maxLength: 4,
    });
    const small = fc.array(fc.tuple(fc.nat(2 ** 27), fc.integer({ min: 1, max: 2 ** 25 })), {
      minLength: 1,
      maxLength: 4,
    });
    await fc.assert(
      fc.asyncProperty(fc.oneof(lines, small), async (given) => {
        const exact = given.reduce(
          (total, [amount, quantity]) => total + BigInt(amount) * BigInt(quantity),
          0n,
        );
        const issues = await session(...given.map(([amount, quantity]) => tea(amount, quantity)));
        expect(issues).toEqual(exact <= BigInt(most) ? [] : [`line_items: ${tooMuch}`]);
      }),
    );
  });
});

describe('the lines of a credit note', () => {
  it.each<[string, NoteLine[], boolean]>([
    ['none', [], true],
    ['amounts', [{ amount: most - 1 }, { amount: 1 }], true],
    ['prices', [{ unit_amount: 500, quantity: 3 }, { unit_amount: 1 }], true],
    ['a quantity alone', [{ quantity: most }], true],
    ['amounts above 2^53', [{ amount: most }, { amount: 1 }], false],
    ['prices above 2^53', [{ unit_amount: 2 ** 40, quantity: 2 ** 20 }], false],
    ['a price above 2^53 beside an amount', [{ amount: 1, unit_amount: most, quantity: 2 }], false],
  ])('with %s', async (_what, lines, isSent) => {
    expect(await note(...lines)).toEqual(isSent ? [] : [`lines: ${tooMuch}`]);
  });
});
