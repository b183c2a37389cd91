/** `parseEvent` types the event in trusted JSON. */

import { parseEvent } from 'payments-client/webhooks';
import { describe, expect, it } from 'vitest';
import { chargeback, eventOf } from '../../../support/deliveries.ts';

const failed = eventOf('refund.failed');

describe('parseEvent', () => {
  it.each([
    ['text', JSON.stringify(failed)],
    ['bytes', new TextEncoder().encode(JSON.stringify(failed))],
    ['a value', failed],
    ['a drifted event', { ...failed, created: 7 }],
  ])('reads %s', (_what, json) => {
    const event = parseEvent(json);
    expect(event).toEqual(typeof json === 'object' && !(json instanceof Uint8Array) ? json : failed);
  });

  it('returns the event of a bare chargeback notification, and accepts its own result', () => {
    const event = parseEvent(chargeback);
    expect(event).toMatchObject({ id: 'chargeback.received:cb_1', type: 'chargeback.received' });
    expect(parseEvent(JSON.stringify(event))).toEqual(event);
  });

  it.each(['', '[]', '{}', { type: 'a' }, undefined])('refuses %o', (json) => {
    expect(() => parseEvent(json)).toThrow(expect.objectContaining({ reason: 'invalid_payload' }));
  });
});
