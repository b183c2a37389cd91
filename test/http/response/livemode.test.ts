import { ResponseValidationError } from 'payments-client';
import { describe, expect, it } from 'vitest';
import { failureOf } from '../../support/failure.ts';
import { product, refund, refundParams } from '../../support/fixtures.ts';
import { createClient, json, useMockService } from '../../support/mock-service.ts';

const service = useMockService();
const live = { ...refund, livemode: true };
const by = { operationId: 'order-1' };

describe('a live object under a test key', () => {
  it('is refused, and told as executed where something was written', async () => {
    service.answers(json(live));
    const error = await failureOf(createClient().refunds.create(refundParams, by), ResponseValidationError);
    expect(error.outcome).toBe('executed');
    expect(error.issues).toEqual([
      { path: 'livemode', expected: 'false, since the key is a test key', received: 'true' },
    ]);
  });

  it('is refused in a page too', async () => {
    service.answers(json({ data: [product('a'), { ...product('b'), livemode: true }], has_more: false }));
    const error = await failureOf(createClient().products.list(), ResponseValidationError);
    expect(error.issues).toMatchObject([{ path: 'data[1].livemode' }]);
  });

  it('is told to the logger where validation only warns', async () => {
    service.answers(json(live));
    const warnings: string[] = [];
    const logger = { warn: (message: string) => warnings.push(message) };
    const payments = createClient({ validation: 'warn', logger });
    expect(await payments.refunds.retrieve('rf_1')).toEqual(live);
    expect(warnings).toHaveLength(1);
  });
});

describe('a test object under a key that is no test key', () => {
  it('is told to the logger and not refused, since the form of live keys is not shown', async () => {
    service.answers(json(refund), json(live));
    const warnings: string[] = [];
    const logger = { warn: (message: string) => warnings.push(message) };
    const payments = createClient({ secretKey: 'sk_v1_other_0001', logger });
    expect(await payments.refunds.retrieve('rf_1')).toEqual(refund);
    expect(warnings).toEqual([expect.stringContaining('a test object')]);
    expect(await payments.refunds.retrieve('rf_1')).toEqual(live);
    expect(warnings).toHaveLength(1);
  });
});
