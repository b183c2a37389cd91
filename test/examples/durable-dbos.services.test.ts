/** An order as a workflow of DBOS: its process is killed at each request, and started again. */

import { fileURLToPath } from 'node:url';
import { DBOSJSON, deserializeResError, serializeResError } from '@dbos-inc/dbos-sdk/internal/serialization';
import { PaymentDeclinedError, PaymentsError } from 'payments-client';
import { describe, expect, it } from 'vitest';
import { type Ended, launchProgram, runProgram } from '../support/programs.ts';
import { startSandbox } from '../support/sandbox.ts';
import { type Crash, CrashingService, chargesIn, crashesOf, order } from './crash.ts';
import { exampleDatabase } from './database.ts';
import { program } from './support.ts';

const database = exampleDatabase('test/examples/durable-dbos.services.test.ts');
const { isSkipped, reason: why } = database;

const withoutJournal = ['--import', fileURLToPath(new URL('without-journal.ts', import.meta.url))];

/** Starts the example for an order, to its end or its crash, and returns its result and the charges. */
async function payOrder(
  id: string,
  {
    crash,
    nodeOptions = [],
    cards = order.cards,
  }: { crash?: Crash; nodeOptions?: readonly string[]; cards?: readonly string[] },
): Promise<{ ended: Ended; charges: readonly string[]; requests: number }> {
  const sandbox = await startSandbox({ startsAt: undefined, onlyShownFields: true });
  const example = program('durable/dbos');
  const dbos = { ...example, nodeOptions: [...example.nodeOptions, ...nodeOptions] };
  const args = [id, String(order.amount), order.currency, ...cards];
  const service = new CrashingService(sandbox, crash);
  const env = {
    DATABASE_URL: database.url,
    PAYMENTS_BASE_URL: await service.listen(),
    PAYMENTS_SECRET_KEY: sandbox.secretKey,
  };
  const killed = launchProgram(dbos, args, env);
  if (crash === undefined) await killed.ended;
  else {
    await service.crash;
    await killed.stop('SIGKILL');
  }
  const ended = crash === undefined ? await killed.ended : await runProgram(dbos, args, env);
  return { ended, charges: await chargesIn(sandbox), requests: service.requests };
}

describe.skipIf(isSkipped)(`an order as a workflow of DBOS${why}`, () => {
  const variants = [
    { with: 'with a journal', nodeOptions: [] },
    { with: 'without a journal', nodeOptions: withoutJournal },
  ];
  const paid = { ended: { code: 0, stderr: '' }, charges: ['failed 2100', 'succeeded 2100'] };

  it.each(variants)('is charged once, by the card that is not declined, $with', async (variant) => {
    const result = await payOrder(`order, ${variant.with}`, variant);
    expect(result).toMatchObject({ ...paid, requests: 5 });
    expect(result.ended.stdout).toMatch(/: succeeded\n$/);
  });

  it('does not exit as if it were paid, if every card is declined', async () => {
    const { ended, charges } = await payOrder('order of a declined card', { cards: ['pm_card_declined'] });
    expect(ended.stdout).toMatch(/: requires_payment_method\n$/);
    expect([ended.code, charges]).toEqual([1, ['failed 2100']]);
  });

  // With a journal a request that the service never got leaves nothing to find.
  const crashes = crashesOf(5).flatMap((crash) =>
    variants
      .filter(({ nodeOptions }) => nodeOptions === withoutJournal || crash.moment === 'after')
      .map((variant) => ({ ...variant, crash })),
  );

  it.each(crashes)(
    'takes the same branch when it is killed $crash.moment request $crash.request, $with',
    async ({ crash, nodeOptions, with: variant }) => {
      const result = await payOrder(`order ${crash.request} ${crash.moment}, ${variant}`, {
        crash,
        nodeOptions,
      });
      expect(result).toMatchObject(paid);
      expect(result.ended.stdout).toMatch(/: succeeded\n$/);
    },
  );
});

describe('an error that a step throws', () => {
  const declined = new PaymentDeclinedError('The card was declined.', { declineCode: '51' });
  const received = async (form: 'native' | 'portable') => {
    const { serializedValue, serialization } = await serializeResError(declined, DBOSJSON, form);
    return await deserializeResError(serializedValue, serialization, DBOSJSON).catch(
      (error: unknown) => error,
    );
  };

  it('reaches a later process with its fields, but without its class', async () => {
    const error = await received('native');
    expect(error).not.toBeInstanceOf(PaymentsError);
    expect(PaymentsError.from(error)).toEqual(declined);
  });

  it('loses its fields in the portable form', async () => {
    expect(PaymentsError.from(await received('portable'))).toBeUndefined();
  });
});
