/** Options of createSubscriptions: a wrong one is named before anything happens. */

import { ConfigurationError } from 'payments-client';
import { createSubscriptions } from 'payments-client/orders';
import { memoryStore } from 'payments-client/stores';
import { Webhooks } from 'payments-client/webhooks';
import { makeEvent } from 'payments-client-sandbox/testing';
import { describe, expect, it } from 'vitest';
import { anything } from '../../support/anything.ts';
import { createClient } from '../../support/mock-service.ts';

const right = { payments: createClient(), store: memoryStore(), account: 'tea-shop-test' };

describe('createSubscriptions', () => {
  it.each<[options: object, words: string]>([
    [{ payments: {} }, 'createSubscriptions.payments: expected a PaymentsClient, got an object'],
    [
      { store: {} },
      'createSubscriptions.store: expected a store with documents, such as memoryStore(), got an object',
    ],
    [
      { account: 'tea/shop' },
      'createSubscriptions.account: expected 1 to 64 letters, digits, dots, hyphens and underscores',
    ],
    [{ account: undefined }, 'createSubscriptions.account: expected 1 to 64 letters'],
    [{ grants: 'active' }, "createSubscriptions.grants: expected an array, got 'active'"],
    [{ grants: [''] }, 'createSubscriptions.grants[0]: expected a non-empty string, got an empty string'],
    [{ subscriptionOf: 'sub_1' }, 'createSubscriptions.subscriptionOf: expected a function'],
    [{ now: 1 }, 'createSubscriptions.now: expected a function'],
    [{ grant: [] }, 'createSubscriptions.grant: expected'],
  ])('refuses %j', (options, words) => {
    const create = () => createSubscriptions(anything({ ...right, ...options }));
    expect(create).toThrow(ConfigurationError);
    expect(create).toThrow(words);
  });

  it('says what to write if there are no options', () => {
    expect(() => createSubscriptions(anything(undefined))).toThrow(ConfigurationError);
    expect(() => createSubscriptions(anything('sk'))).toThrow(
      'Write createSubscriptions({ payments, store, account }).',
    );
  });

  it('takes the granting statuses as they are, whatever becomes of the array', async () => {
    const grants: 'active'[] = ['active'];
    const { on, access } = createSubscriptions({ ...right, grants });
    grants.pop();
    const event = makeEvent('subscription.updated', { status: 'active' });
    await on['subscription.updated'](event);
    expect(await access(event.data.object.customer)).toMatchObject({ granted: true });
  });
});

it('has handlers for a receiver', async () => {
  const { on, access } = createSubscriptions(right);
  const { dispatch } = new Webhooks({ secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' }).receiver({
    store: right.store,
    on,
  });
  const event = makeEvent('subscription.updated', { status: 'past_due' });
  expect(await dispatch(event)).toBe('handled');
  expect(await access(event.data.object.customer)).toMatchObject({ granted: true });
});
