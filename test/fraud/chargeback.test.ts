import { inspect } from 'node:util';
import fc from 'fast-check';
import { ConfigurationError } from 'payments-client';
import { fraudFigures, parseChargeback } from 'payments-client/fraud';
import { describe, expect, it } from 'vitest';
import fraud from '../interface/tables/fraud.json' with { type: 'json' };

const notification = {
  event: 'chargeback.received',
  chargeback_id: 'cb_1',
  transaction_id: '316',
  amount: '49.99',
  reason_code: '10.4',
  reason: 'Fraud: card absent',
  due_date: '2026-03-01',
  timestamp: '2026-02-10T08:30:00Z',
};

function refusal(value: unknown): ConfigurationError {
  try {
    parseChargeback(value);
  } catch (error) {
    if (error instanceof ConfigurationError) return error;
  }
  throw new Error('expected a ConfigurationError');
}

describe('parseChargeback', () => {
  it('returns the notification with the meaning of its reason, without changes', () => {
    const value = Object.freeze({ ...notification, currency: 'JPY', livemode: false });
    expect(parseChargeback(value)).toEqual({
      ...value,
      reasonCode: { code: '10.4', meaning: 'other fraud, card absent', category: 'fraud', source: 'shown' },
    });
  });

  it('opens the envelope of other events', () => {
    const { event, ...object } = notification;
    const envelope = { id: 'evt_1', type: event, livemode: false, data: { object } };
    expect(parseChargeback(envelope)).toEqual(parseChargeback(notification));
    expect(parseChargeback({ id: 'evt_1', type: 'x', data: { object: notification } })).toEqual(
      parseChargeback(notification),
    );
    expect(refusal({ ...envelope, type: 'charge.settled' }).issues.map(({ path }) => path)).toEqual([
      'chargeback.event',
    ]);
  });

  it('opens no envelope if the object names its event itself', () => {
    const value = { ...notification, data: { object: { event: 'x' } } };
    expect(parseChargeback(value)).toEqual({ ...value, ...parseChargeback(notification) });
  });

  it.each<[path: string, expected: string, ...wrong: unknown[]]>([
    ['event', "'chargeback.received'", 'chargeback.won'],
    ['chargeback_id', 'a non-empty string', ''],
    ['transaction_id', 'a non-empty string', 316],
    ['amount', 'a decimal string', 49.99, '49,99', '-1.00', '1.00001', '1e3', ''],
    ['reason_code', 'as a string', 10.4, ''],
    ['reason', 'a string', null, ['x']],
    [
      'due_date',
      'a date',
      '2026-02-30',
      '2025-02-29',
      '2026-13-01',
      '01.03.2026',
      '2026-03-01Tomorrow',
      ['2026-03-01T00:00:00Z'],
      undefined,
    ],
    [
      'timestamp',
      'an ISO 8601 time',
      '2026-02-10',
      '2026-02-30T10:00:00Z',
      '2026-02-10T24:00:00Z',
      1770712200,
      ['2026-02-10T08:30:00.000Z'],
    ],
  ])('refuses another %s than %s', (path, expected, ...wrong) => {
    for (const value of wrong) {
      const error = refusal({ ...notification, [path]: value });
      const issue = { path: `chargeback.${path}`, expected: expect.stringContaining(expected) };
      expect(error.issues, String(value)).toMatchObject([issue]);
      expect(error.message).toContain('keep it and look the chargeback up by hand');
    }
  });

  it.each([
    ['amount', '0.0001', '1200', '49.995'],
    ['due_date', '2024-02-29', '2026-03-01T00:00:00Z'],
    [
      'timestamp',
      '2026-02-10T08:30:00.123Z',
      '2026-02-10T08:30:00+02:00',
      '2026-02-10T08:30:00-0530',
      '2026-02-10T08:30',
      '2026-02-10 08:30:00',
      '2024-02-29T23:59:60Z',
    ],
  ])('keeps each %s as it came', (path, ...values) => {
    for (const value of values) expect(parseChargeback({ ...notification, [path]: value })[path]).toBe(value);
  });

  it('names every invalid field, and quotes no value', () => {
    const canary = '4929876512340988';
    const fields = Object.keys(notification);
    const error = refusal(Object.fromEntries(fields.map((field) => [field, [canary]])));
    expect(error.issues.map(({ path }) => path)).toEqual(fields.map((field) => `chargeback.${field}`));
    for (const field of fields) expect(error.message).toContain(`chargeback.${field}: expected `);
    const text = `${inspect(error, { depth: 9, showHidden: true })} ${JSON.stringify(error)} ${error.stack}`;
    expect(text).not.toContain(canary);
  });

  it('throws only its own error for any value', () => {
    const field = fc.constantFrom(...Object.keys(notification), 'type', 'data', '__proto__');
    const mutated = fc.dictionary(field, fc.jsonValue()).map((fields) => ({ ...notification, ...fields }));
    const text = fc.constantFrom('{"event":"chargeback.received"}', null, [notification]);
    fc.assert(
      fc.property(fc.oneof(text, fc.anything(), mutated), (value) => {
        try {
          parseChargeback(value);
        } catch (error) {
          expect(error).toBeInstanceOf(ConfigurationError);
        }
      }),
    );
  });
});

describe('chargeback reasons', () => {
  const reasonOf = (reason_code: string) => parseChargeback({ ...notification, reason_code }).reasonCode;

  it.each(fraud.chargebackReasons)('$code are those of the interface', ({ code, meaning }) => {
    expect(fraud.chargebackReasons).toHaveLength(5);
    expect(reasonOf(code)).toEqual({ code, meaning, category: 'fraud', source: 'shown' });
  });

  it.each([
    ['10.6', 'fraud', 'inferred'],
    ['11.3', 'authorization', 'inferred'],
    ['12.1', 'processing_error', 'inferred'],
    ['13.1', 'consumer_dispute', 'inferred'],
    ['10', undefined, 'unknown'],
    ['1014', undefined, 'unknown'],
    ['14.1', undefined, 'unknown'],
    ['4837', undefined, 'unknown'],
    ['__proto__', undefined, 'unknown'],
  ])('%s have the category %s: %s', (code, category, source) => {
    expect(reasonOf(code)).toEqual({ code, category, source, meaning: expect.stringMatching(/./) });
    const [frauds, chargebacks] = fraudFigures([{ approved: true, chargeback_reason: code }]);
    expect([frauds?.value, chargebacks?.value]).toEqual([category === 'fraud' ? 1 : 0, 1]);
  });
});
