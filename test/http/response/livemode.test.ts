import { ResponseValidationError } from 'payments-client';
import { describe, expect, it } from 'vitest';
import { failureOf } from '../../support/failure.ts';
import { product, refund, refundParams } from '../../support/fixtures.ts';
import { createClient, json, useMockService } from '../../support/mock-service.ts';

const service = useMockService();
const live = { ...refund, livemode: true };
const operation = { operationId: 'order-1' };

describe('a live object under a test key', () => {
  it('is refused, and reported as executed after a write', async () => {
    service.answers(json(live));
    const error = await failureOf(
      createClient().refunds.create(refundParams, operation),
      ResponseValidationError,
    );
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

  it('is logged under validation "warn"', async () => {
    service.answers(json(live));
    const warnings: string[] = [];
    const logger = { warn: (message: string) => warnings.push(message) };
    const payments = createClient({ validation: 'warn', logger });
    expect(await payments.refunds.retrieve('rf_1')).toEqual(live);
    expect(warnings).toHaveLength(1);
  });
});

describe('a test object under a key that is not a test key', () => {
  it('is logged and not refused, because the form of live keys is not documented', async () => {
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
