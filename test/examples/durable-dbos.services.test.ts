/** An order as a workflow of DBOS: its process is killed at each request, and started again. */

import { fileURLToPath } from 'node:url';
import { DBOSJSON, deserializeResError, serializeResError } from '@dbos-inc/dbos-sdk/internal/serialization';
import { PaymentDeclinedError, PaymentsError } from 'payments-client';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Ended, launchProgram, runProgram } from '../support/programs.ts';
import { startSandbox } from '../support/sandbox.ts';
import { type Crash, CrashingService, chargesAfter, chargesIn, crashesOf, order, requests } from './crash.ts';
import { exampleDatabase } from './database.ts';
import { program } from './support.ts';

const database = exampleDatabase('test/examples/durable-dbos.services.test.ts');
const { isSkipped, reason: why } = database;

const killedWhileShipping = fileURLToPath(new URL('killed-in-postgres.ts', import.meta.url));

/** What became of an order. */
interface Paid {
  readonly ended: Ended;
  readonly charges: readonly string[];
  readonly requests: number;
  /** How often it was shipped. */
  readonly shipments: number;
}

interface Given {
  readonly crash?: Crash;
  /** A module that the first process loads, and that kills it. */
  readonly killer?: string;
  readonly cards?: readonly string[];
}

/** Starts the example for an order, to its end or its crash and then to its end. */
async function payOrder(id: string, { crash, killer, cards = order.cards }: Given = {}): Promise<Paid> {
  const sandbox = await startSandbox({ startsAt: undefined, onlyShownFields: true });
  const dbos = program('durable/dbos');
  const args = [id, ...cards];
  const service = new CrashingService(sandbox, crash);
  const env = {
    DATABASE_URL: database.url,
    PAYMENTS_BASE_URL: await service.listen(),
    PAYMENTS_SECRET_KEY: sandbox.secretKey,
  };
  const imports = killer === undefined ? [] : ['--import', killer];
  const first = launchProgram({ ...dbos, nodeOptions: [...dbos.nodeOptions, ...imports] }, args, env);
  if (crash !== undefined) {
    await service.crash;
    await first.stop('SIGKILL');
  }
  const killed = await first.ended;
  const isKilled = crash !== undefined || killer !== undefined;
  if (isKilled) expect(killed.code).toBeNull();
  const ended = isKilled ? await runProgram(dbos, args, env) : killed;
  const shipped = await database.pool.query('SELECT FROM shipments WHERE id = $1', [id]);
  return {
    ended,
    charges: await chargesIn(sandbox),
    requests: service.requests,
    shipments: shipped.rowCount ?? 0,
  };
}

describe.skipIf(isSkipped)(`an order as a workflow of DBOS${why}`, () => {
  /** Counts shipments in the transactions that make them. The example finds its table. */
  beforeAll(async () => {
    await database.pool.query(`
      CREATE TABLE shipments (id text NOT NULL);
      CREATE TABLE orders (id text PRIMARY KEY, shipped boolean NOT NULL DEFAULT false,
        created_at timestamptz NOT NULL DEFAULT now(), currency text NOT NULL, lines jsonb NOT NULL);
      CREATE FUNCTION ship() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN INSERT INTO shipments VALUES (new.id); RETURN new; END $$;
      CREATE TRIGGER shipping AFTER UPDATE OF shipped ON orders FOR EACH ROW EXECUTE FUNCTION ship()`);
  });

  const paid = (crash?: Crash) => ({
    ended: { code: 0, stderr: '', stdout: expect.stringMatching(/: paid\n$/) },
    charges: chargesAfter(crash),
    shipments: 1,
  });

  it('is charged and shipped once, by the card that is not declined', async () => {
    expect(await payOrder('order')).toMatchObject({ ...paid(), requests });
  });

  it('is neither shipped, nor does it exit as if it were paid, if every card is declined', async () => {
    const result = await payOrder('order of a declined card', { cards: ['pm_card_declined'] });
    expect(result).toMatchObject({ ended: { code: 1 }, charges: ['failed 1200'], shipments: 0 });
    expect(result.ended.stdout).toMatch(/: declined\n$/);
  });

  it.each(crashesOf(requests))(
    'is charged and shipped once when it is killed $moment request $request',
    async (crash) => {
      const result = await payOrder(`order ${crash.request} ${crash.moment}`, { crash });
      expect(result).toMatchObject(paid(crash));
    },
  );

  it('is charged and shipped once when it is killed before it commits the shipment', async () => {
    expect(await payOrder('order that ships', { killer: killedWhileShipping })).toMatchObject(paid());
  });
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
