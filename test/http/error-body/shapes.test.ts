import { describe, expect, it } from 'vitest';
import { json, text, useMockService } from '../../support/mock-service.ts';

const service = useMockService();

describe('the code and the message of an error body', () => {
  it.each([
    ['nested', json({ error: { code: 'c_1', message: 'm one' } }, { status: 400 }), 'c_1', 'm one'],
    ['flat', json({ code: 'c_1', message: 'm one' }, { status: 400 }), 'c_1', 'm one'],
    ['OAuth', json({ error: 'c_1', error_description: 'm one' }, { status: 400 }), 'c_1', 'm one'],
    [
      'a list',
      json({ errors: [{ code: 'c_1', detail: 'm one' }, { code: 'c_2' }] }, { status: 400 }),
      'c_1',
      'm one',
    ],
    ['a bare list', json([{ code: 'c_1', message: 'm one' }], { status: 400 }), 'c_1', 'm one'],
    [
      'problem+json',
      json(
        { type: 'https://x.test/p', title: 'Bad', status: 400, detail: 'm one', code: 'c_1' },
        { status: 400 },
      ),
      'c_1',
      'm one',
    ],
    ['a list of strings', json({ errors: ['m one'] }, { status: 400 }), undefined, 'm one'],
    [
      'by field',
      json({ errors: { amount: ['must be positive'] } }, { status: 400 }),
      undefined,
      'amount: must be positive',
    ],
    ['a number as code', json({ code: 77, message: 'm one' }, { status: 400 }), '77', 'm one'],
    ['a JSON string', json('m one', { status: 400 }), undefined, 'm one'],
    ['text', text('m one', { status: 400 }), undefined, 'm one'],
    [
      'text with a documented code',
      text('IDEMPOTENCY_BODY_MISMATCH: other body', { status: 422 }),
      'IDEMPOTENCY_BODY_MISMATCH',
      'other body',
    ],
    [
      'HTML',
      text('<html><head><title>502 Bad Gateway</title></head></html>', { status: 502 }),
      undefined,
      '502 Bad Gateway',
    ],
    ['nothing', text('', { status: 500 }), undefined, 'status 500.'],
  ])('are read from %s', async (_shape, response, code, message) => {
    const error = await service.refuse(response);
    expect(error.code).toBe(code);
    expect(error.message).toContain(message);
  });
});
