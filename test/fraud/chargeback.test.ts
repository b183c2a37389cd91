import { inspect } from 'node:util';
import fc from 'fast-check';
import { ConfigurationError } from 'payments-client';
import { fraudFigures, parseChargeback } from 'payments-client/fraud';
import { describe, expect, it } from 'vitest';

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

const advice = 'Pass the parsed JSON of the body. If it is, keep it and look the chargeback up by hand.';

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
    const value = Object.freeze({ ...notification });
    expect(parseChargeback(value)).toEqual({
      ...notification,
      reasonCode: {
        code: '10.4',
        meaning: 'other fraud, card absent',
        category: 'fraud',
        source: 'shown',
      },
    });
  });

  it('keeps unknown fields and accepts unknown reason codes', () => {
    const value = { ...notification, reason_code: '4837', currency: 'USD', livemode: false };
    expect(parseChargeback(value)).toMatchObject({
      currency: 'USD',
      livemode: false,
      reasonCode: { code: '4837', source: 'unknown' },
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

  it.each([
    ['event', 'chargeback.won', "'chargeback.received'", 'a string of 14 characters'],
    ['chargeback_id', '', 'a non-empty string', 'an empty string'],
    ['transaction_id', 316, 'a non-empty string', 'a number'],
    ['amount', 49.99, "a decimal string such as '49.99'", 'a number'],
    ['amount', '49,99', "a decimal string such as '49.99'", 'a string of 5 characters'],
    ['amount', '-1.00', "a decimal string such as '49.99'", 'a string of 5 characters'],
    ['reason_code', 10.4, "a code such as '10.4', as a string", 'a number'],
    ['reason', null, 'a string', 'null'],
    ['reason', ['x'], 'a string', 'an array of 1'],
    ['due_date', '2026-02-30', "a date such as '2026-12-31'", 'a string of 10 characters'],
    ['due_date', '2025-02-29', "a date such as '2026-12-31'", 'a string of 10 characters'],
    ['due_date', '2026-13-01', "a date such as '2026-12-31'", 'a string of 10 characters'],
    ['due_date', '01.03.2026', "a date such as '2026-12-31'", 'a string of 10 characters'],
    ['due_date', '2026-03-01Tomorrow', "a date such as '2026-12-31'", 'a string of 18 characters'],
    ['timestamp', '2026-02-10', 'an ISO 8601 time', 'a string of 10 characters'],
    ['timestamp', '2026-02-30T10:00:00Z', 'an ISO 8601 time', 'a string of 20 characters'],
    ['timestamp', '2026-02-10T24:00:00Z', 'an ISO 8601 time', 'a string of 20 characters'],
    ['timestamp', 1770712200, 'an ISO 8601 time', 'a number'],
    ['due_date', ['2026-03-01T00:00:00Z'], "a date such as '2026-12-31'", 'an array of 1'],
    ['timestamp', ['2026-02-10T08:30:00.000Z'], 'an ISO 8601 time', 'an array of 1'],
    ['due_date', undefined, "a date such as '2026-12-31'", 'nothing'],
  ])('refuses %s = %j', (path, value, expected, received) => {
    const error = refusal({ ...notification, [path]: value });
    expect(error.issues).toEqual([{ path: `chargeback.${path}`, expected, received }]);
    expect(error.message).toBe(`chargeback.${path}: expected ${expected}, got ${received}. ${advice}`);
  });

  it.each([
    '2026-02-10T08:30:00Z',
    '2026-02-10T08:30:00.123Z',
    '2026-02-10T08:30:00+02:00',
    '2026-02-10T08:30:00-0530',
    '2026-02-10T08:30',
    '2026-02-10 08:30:00',
    '2024-02-29T23:59:60Z',
  ])('accepts the time %s', (timestamp) => {
    expect(parseChargeback({ ...notification, timestamp }).timestamp).toBe(timestamp);
  });

  it('lists all issues in one message', () => {
    const error = refusal({ ...notification, amount: 1, reason: null });
    expect(error.message).toBe(
      `chargeback.amount: expected a decimal string such as '49.99', got a number; chargeback.reason: expected a string, got null. ${advice}`,
    );
  });

  it('names every invalid field, and quotes no value', () => {
    const canary = '4929876512340988';
    const fields = Object.keys(notification);
    const error = refusal(Object.fromEntries(fields.map((field) => [field, [canary]])));
    expect(error.issues.map(({ path }) => path)).toEqual(fields.map((field) => `chargeback.${field}`));
    const text = `${inspect(error, { depth: 9, showHidden: true })} ${JSON.stringify(error)} ${error.stack}`;
    expect(text).not.toContain(canary);
  });

  it.each([
    ['{"event":"chargeback.received"}', 'chargeback: expected an object, got a string of 31 characters'],
    [null, 'chargeback: expected an object, got null'],
    [[notification], 'chargeback: expected an object, got an array of 1'],
  ])('refuses %j', (value, message) => {
    expect(refusal(value).message).toBe(`${message}. ${advice}`);
  });

  it('throws only its own error for any value', () => {
    const field = fc.constantFrom(...Object.keys(notification), 'type', 'data', '__proto__');
    const mutated = fc.dictionary(field, fc.jsonValue()).map((fields) => ({ ...notification, ...fields }));
    fc.assert(
      fc.property(fc.oneof(fc.anything(), mutated), (value) => {
        try {
          parseChargeback(value);
        } catch (error) {
          expect(error).toBeInstanceOf(ConfigurationError);
        }
      }),
    );
  });
});

it('the reason of a notification can be counted', () => {
  const { reason_code } = parseChargeback(notification);
  const figures = fraudFigures([{ approved: true, chargeback_reason: reason_code }]);
  expect(figures.slice(0, 2)).toMatchObject([{ value: 1 }, { value: 1 }]);
});
