/** The key of a call: its limits and error messages. A wrong key is refused before a request is sent. */

import { deriveIdempotencyKey, InvalidRequestError } from 'payments-client';
import { describe, expect, it } from 'vitest';
import { anything } from '../support/anything.ts';
import { failureOf } from '../support/failure.ts';
import { intentParams, paymentIntent, saleParams } from '../support/fixtures.ts';
import { createClient, json, useMockService } from '../support/mock-service.ts';

const service = useMockService();

const create = (options: unknown) => createClient().paymentIntents.create(intentParams, anything(options));
const none = 'Nothing was sent.';
const printable = '1 to 255 printable ASCII characters without blanks at the ends';

describe('an idempotency key', () => {
  it.each(['k', 'a b', '~', 'k'.repeat(255)])('of the user is sent unchanged: %s', async (idempotencyKey) => {
    service.answers(json(paymentIntent));
    await create({ idempotencyKey });
    expect(service.arrivals[0]?.headers.get('idempotency-key')).toBe(idempotencyKey);
  });

  it.each<[message: string, options: unknown]>([
    [
      `options.idempotencyKey: expected ${printable}, got a string of 256 characters.`,
      { idempotencyKey: 'k'.repeat(256) },
    ],
    [`options.idempotencyKey: expected ${printable}, got a string of 0 characters.`, { idempotencyKey: '' }],
    [
      `options.idempotencyKey: expected ${printable}, got a string of 2 characters.`,
      { idempotencyKey: ' k' },
    ],
    [
      `options.idempotencyKey: expected ${printable}, got a string of 2 characters.`,
      { idempotencyKey: 'k ' },
    ],
    [`options.idempotencyKey: expected ${printable}, got a string of 1 character.`, { idempotencyKey: 'é' }],
    [`options.idempotencyKey: expected ${printable}, got the number 7.`, { idempotencyKey: 7 }],
    [`options.idempotencyKey: expected ${printable}, got an array of 1.`, { idempotencyKey: ['k'] }],
    [
      'options: expected either operationId or idempotencyKey, got both.',
      { idempotencyKey: 'k', operationId: 'o' },
    ],
    ['options.operationId: expected a non-blank string, got an empty string.', { operationId: '' }],
    [
      'options.operationId: expected a non-blank string, got a string of 2 characters.',
      { operationId: '  ' },
    ],
    [
      'options.operationId: expected a non-blank string, got the number 7: write String(order.id).',
      { operationId: 7 },
    ],
  ])('is refused: %s', async (message, options) => {
    const error = await failureOf(create(options), InvalidRequestError);
    expect(error.message).toBe(`paymentIntents.create: ${message} ${none}`);
    expect(service.arrivals).toEqual([]);
  });

  it('or an operationId is required if money moves', async () => {
    const error = await failureOf(create({}), InvalidRequestError);
    expect(error.message).toBe(
      'paymentIntents.create: options.operationId: expected your own id of this business operation, got nothing. ' +
        'This call may move money: pass { operationId } as its last argument, your own id of this one payment, refund or other operation. Repeat a call with the same id. Nothing was sent.',
    );
  });
});

describe('an operationId among the parameters', () => {
  const payments = () => createClient();
  const by = { operationId: 'order-1' };
  const misplaced = anything({ ...by });

  it.each<[write: string, call: () => Promise<unknown>]>([
    [
      'paymentIntents.capture(id, {}, { operationId })',
      () => payments().paymentIntents.capture('pi_1', misplaced, anything(undefined)),
    ],
    [
      'paymentIntents.refund(id, params, { operationId })',
      () => payments().paymentIntents.refund('pi_1', anything({ amount: 5, ...by }), by),
    ],
    [
      'refunds.create(params, { operationId })',
      () => payments().refunds.create(anything({ charge_id: 'ch_1', ...by }), by),
    ],
    [
      'refunds.create(params, { idempotencyKey })',
      () => payments().refunds.create(anything({ charge_id: 'ch_1', idempotencyKey: 'k' }), by),
    ],
    [
      'customers.create(params, { operationId })',
      () => payments().customers.create(anything({ first_name: 'Ada', ...by })),
    ],
    [
      'transact.sale(params, { operationId })',
      () => payments().transact.sale(anything({ ...saleParams, ...by })),
    ],
    [
      'request(params, { operationId })',
      () => payments().request(anything({ method: 'POST', path: '/v1/payouts', ...by })),
    ],
  ])('is refused, and the message says to write %s', async (write, call) => {
    const { message } = await failureOf(call(), InvalidRequestError);
    expect(message).toMatch(/(?:operationId|idempotencyKey): expected an option, got a parameter\. /);
    expect(message).toContain(`Write ${write}. ${none}`);
    expect(service.arrivals).toEqual([]);
  });

  it('is metadata like any other below a parameter', async () => {
    service.answers(json(paymentIntent));
    await payments().paymentIntents.create({ ...intentParams, metadata: by }, by);
    expect(service.arrivals).toHaveLength(1);
  });
});

describe('deriveIdempotencyKey', () => {
  it('writes out short ids, and hashes ids that are too long for a key', () => {
    const [longest, longer] = ['x'.repeat(255 - 'pc1:o:'.length), 'x'.repeat(256 - 'pc1:o:'.length)];
    expect(deriveIdempotencyKey('o', longest)).toBe(`pc1:o:${longest}`);
    expect(deriveIdempotencyKey('o', longer)).toMatch(/^pc1h:[\da-f]{64}$/);
  });

  it.each<[message: string, operation: unknown, id: unknown]>([
    ['operation: expected a non-blank string, got an empty string.', '', 'o'],
    ['operationId: expected a non-blank string, got nothing.', 'o', undefined],
    [
      'operation: expected a non-blank string, got nothing; deriveIdempotencyKey.operationId: expected a non-blank string, got null.',
      undefined,
      null,
    ],
  ])('%s', (message, operation, id) => {
    expect(() => deriveIdempotencyKey(anything(operation), anything(id))).toThrow(
      `deriveIdempotencyKey.${message} Correct the arguments of deriveIdempotencyKey.`,
    );
  });
});
