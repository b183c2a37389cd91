import { RequestAbortedError } from 'payments-client';
import { describe, expect, it } from 'vitest';
import { failureOf } from '../support/failure.ts';
import { refundParams } from '../support/fixtures.ts';
import { createClient, json, useMockService } from '../support/mock-service.ts';

const service = useMockService();
const operation = { operationId: 'order-1' };

describe('a signal', () => {
  it('that is aborted before the call sends nothing', async () => {
    const signal = AbortSignal.abort('closed');
    const error = await failureOf(
      createClient().refunds.create(refundParams, { ...operation, signal }),
      RequestAbortedError,
    );
    expect(error).toMatchObject({ outcome: 'not_executed', attempts: 0, cause: 'closed' });
    expect(service.arrivals).toHaveLength(0);
  });

  it('that is aborted during the request leaves the outcome unknown', async () => {
    const controller = new AbortController();
    service.answers(() => {
      controller.abort();
      return new Promise<Response>(() => {});
    });
    const call = createClient().refunds.create(refundParams, { ...operation, signal: controller.signal });
    expect(await failureOf(call, RequestAbortedError)).toMatchObject({ outcome: 'unknown', attempts: 1 });
  });

  it('that is aborted between attempts ends the wait', async () => {
    const controller = new AbortController();
    service.answers(json({}, { status: 500, headers: { 'retry-after': '60' } }));
    const payments = createClient({ hooks: { retry: () => controller.abort() } });
    const call = payments.refunds.create(refundParams, { ...operation, signal: controller.signal });
    expect(await failureOf(call, RequestAbortedError)).toMatchObject({ outcome: 'unknown', attempts: 1 });
  });
});
