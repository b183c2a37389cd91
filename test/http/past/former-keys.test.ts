/** What a client knows of the calls that it made before its key was rotated. */

import { PaymentsError, RateLimitError } from 'payments-client';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { failureOf } from '../../support/failure.ts';
import { refund } from '../../support/fixtures.ts';
import { useScriptedService } from '../../support/scripted-service.ts';

const service = useScriptedService();
const hour = 3_600_000;
const by = { operationId: 'return-77' };
const params = { charge_id: 'ch_1' } as const;
const refused = () => Response.json({ error: { code: 'RATE_LIMITED' } }, { status: 429 });
const failed = () => new Response('', { status: 500 });
const declined = () => Response.json({ error: { code: 'CARD_DECLINED' } }, { status: 402 });
const made = () => Response.json(refund);

afterEach(() => void vi.useRealTimers());

/** A client whose key is the answer of a vault. */
function start() {
  const vault = { key: 'sk_v1_test_rotated0' };
  const { refunds } = service.createClient({ secretKey: () => vault.key, keyLifetime: 24 * hour });
  return {
    rotate: (to: number) => {
      vault.key = `sk_v1_test_rotated${to}`;
    },
    create: (operationId = by.operationId) => refunds.create(params, { operationId }),
    refusal: async (operationId = by.operationId) =>
      failureOf(refunds.create(params, { operationId }), RateLimitError),
  };
}

describe('after its key was rotated, a client', () => {
  it.each([
    ['in doubt', failed],
    ['that took effect', made],
  ])('doubts an operation %s: the key may be that of another merchant', async (_, first) => {
    const { create, rotate, refusal } = start();
    service.answers(first, refused, refused);
    await create().catch(() => undefined);
    rotate(1);
    expect((await refusal('return-78')).outcome).toBe('not_executed');
    const doubted = await refusal();
    expect(doubted.outcome).toBe('unknown');
    expect(doubted.message).toContain('may have moved money: call again');
  });

  it.each([
    ['in doubt', failed],
    ['that took effect', made],
  ])('does not advise to repeat an operation %s whose key the service forgot', async (_, first) => {
    vi.useFakeTimers({ toFake: ['Date'], now: 0 });
    const { create, rotate, refusal } = start();
    service.answers(first, refused);
    await create().catch(() => undefined);
    rotate(1);
    vi.setSystemTime(24 * hour);
    expect((await refusal()).message).toContain('call again with the same operationId');
    vi.setSystemTime(24 * hour + 1);
    expect(await refusal()).toMatchObject({
      outcome: 'unknown',
      retryable: false,
      message: expect.stringContaining('look it up before you send it again'),
    });
  });

  it('believes what answers the key: a decline, a result', async () => {
    const { create, rotate, refusal } = start();
    service.answers(failed, declined, made, refused);
    await create().catch(() => undefined);
    rotate(1);
    expect((await failureOf(create(), PaymentsError)).outcome).toBe('not_executed');
    await create();
    expect((await refusal()).outcome).toBe('executed');
  });

  it('takes a result for that of an earlier call', async () => {
    const { create, rotate } = start();
    const replayed = () => Response.json(refund, { headers: { 'idempotent-replayed': 'true' } });
    service.answers(failed, replayed, () => Response.json({ ...refund, status: 'succeeded' }));
    await create().catch(() => undefined);
    rotate(1);
    expect((await create()).status).toBe('succeeded');
  });

  it('remembers eight former keys, and its own', async () => {
    const { create, rotate, refusal } = start();
    service.answers(failed, refused);
    await create().catch(() => undefined);
    for (let key = 1; key <= 8; key += 1) {
      rotate(key);
      expect((await refusal()).outcome).toBe('unknown');
    }
    rotate(9);
    expect((await refusal()).outcome).toBe('not_executed');
    rotate(0);
    expect((await refusal()).outcome).toBe('unknown');
  });
});
