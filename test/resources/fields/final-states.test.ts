/** Reaches inside: compares the final states with the table of transitions. */

import { isTerminal } from 'payments-client';
import { createSandbox } from 'payments-client-sandbox';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { maxTimer } from '../../../src/base/numbers.ts';
import { type Transition, transitions } from '../../../src/resources/transitions.ts';
import { catalogRow, catalogTypes } from '../../support/event-catalog.ts';
import { everyCollection } from '../../support/every-collection.ts';
import { createClient } from '../../support/mock-service.ts';

const states = Object.entries(transitions).flatMap(([object, { field, states, transitions: rows }]) =>
  [...states].map((state) => {
    const leads = rows.some(
      ({ from, to }: Transition<string>) =>
        to !== state && to !== 'any' && (from === 'any' || from.includes(state)),
    );
    const isRetriable = object === 'refund' && state === 'failed';
    return { object, field, state, isFinal: !leads && !isRetriable };
  }),
);

describe('isTerminal', () => {
  it.each([
    [{ object: 'payment_intent', status: 'requires_capture' }, false],
    [{ object: 'payment_intent', status: 'succeeded' }, true],
    [{ object: 'refund', status: 'failed' }, false],
    [{ object: 'refund', status: 'succeeded' }, true],
    [{ object: 'invoice', status: 'draft' }, false],
    [{ object: 'invoice', status: 'uncollectible' }, true],
    [{ object: 'subscription', status: 'active' }, false],
    [{ object: 'subscription', status: 'ended' }, false],
    [{ object: 'charge', status: 'failed' }, false],
    [{ object: 'customer', deleted: true }, false],
    [{ object: 'terminal_batch', status: 'closed', reconciliation_status: 'reconciled' }, false],
    [{ object: 'product' }, false],
    [{ object: 'toString' }, false],
  ])('of %j is %s', (resource, expected) => {
    expect(isTerminal(resource)).toBe(expected);
  });

  it.each(states)(
    'of $object $state follows the table of transitions',
    ({ object, field, state, isFinal }) => {
      expect(isTerminal({ object, [field]: state })).toBe(isFinal);
    },
  );

  it('is false after each event of the catalog that names a retry', () => {
    const sandbox = createSandbox();
    const types = catalogTypes.filter((type) =>
      catalogRow(type).operations.some((operation) => operation.startsWith('retry')),
    );
    expect(types.length).toBeGreaterThan(1);
    for (const type of types) {
      const { object } = sandbox.trigger(type).data;
      expect(isTerminal(object as { readonly object: string }), type).toBe(false);
    }
  });
});

type State = (typeof states)[number];

/** Whether waitFor ends with the first object that it gets. Otherwise it asks again. */
async function endsAtOnce({ object, field, state }: State, until?: () => boolean): Promise<boolean> {
  const { id, name } = everyCollection.find((one) => one.object === object) ?? expect.fail();
  let requests = 0;
  const fetch = async () => {
    requests += 1;
    return Response.json({ id, object, [field]: state });
  };
  const never = { timeout: maxTimer, totalTimeout: maxTimer };
  const { [name as 'refunds']: objects } = createClient({ fetch, validation: 'off', ...never });
  const controller = new AbortController();
  let isOver = false;
  const waiting = objects
    .waitFor(id, { until, timeout: maxTimer, signal: controller.signal })
    .finally(() => (isOver = true));
  const ending = waiting.catch((error: unknown) => error);
  while (!isOver && requests < 2) await vi.advanceTimersByTimeAsync(100);
  const isEnded = requests === 1;
  controller.abort();
  expect(await ending).toMatchObject(isEnded ? { [field]: state } : { code: 'ABORTED' });
  return isEnded;
}

it.each(states)(
  'waitFor of a $object with $field $state ends if it no longer changes by itself',
  async (row) => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const { object, state, isFinal } = row;
    const rests = isFinal || (object === 'refund' && state === 'failed') || state === 'reconciled';
    expect(await endsAtOnce(row)).toBe(rests);
    expect(await endsAtOnce(row, () => false)).toBe(rests);
    expect(await endsAtOnce(row, () => true)).toBe(true);
  },
);
