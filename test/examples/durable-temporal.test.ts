/**
 * An order as a workflow of Temporal. A worker of this file stores what activities return, by Temporal's own converters, crashes at each
 * request, and is started again.
 */

import {
  ApplicationFailure,
  defaultPayloadConverter as converter,
  defaultFailureConverter,
  ensureApplicationFailure,
  type Payload,
} from '@temporalio/common';
import { PaymentDeclinedError, PaymentsError } from 'payments-client';
import type { Orders } from 'payments-client/orders';
import { describe, expect, it, vi } from 'vitest';
import { type Steps, stepsOf } from '../../examples/durable/order.ts';
import { payOrderWorkflow } from '../../examples/durable/temporal.ts';
import { order, testWorkflow } from './crash.ts';

const { activities } = vi.hoisted(() => {
  const none: Partial<Steps> = {};
  return { activities: none };
});

vi.mock('@temporalio/workflow', () => ({ proxyActivities: () => activities }));

/** Runs an activity until it returns, as Temporal does by default. */
async function persist<T>(activity: () => Promise<T>, tries = 3): Promise<T> {
  try {
    return await activity();
  } catch (error) {
    if (tries === 1) throw error;
    return persist(activity, tries - 1);
  }
}

/** Runs each activity once: a later process gets what it returned, in their order. */
function recording(history: Payload[]) {
  let next = 0;
  return <Args extends unknown[], T>(activity: (...args: Args) => Promise<T>) =>
    async (...args: Args): Promise<T> => {
      const index = next;
      next += 1;
      const payload = history[index] ?? converter.toPayload(await persist(() => activity(...args)));
      history[index] = payload;
      return converter.fromPayload<T>(payload);
    };
}

/** A workflow that goes on, whichever process runs it. */
function workflow() {
  const history: Payload[] = [];
  return (orders: Orders) => {
    Object.assign(activities, { charge: recording(history)(stepsOf(orders).charge) });
    return payOrderWorkflow(order);
  };
}

describe('an order as a workflow of Temporal', () => testWorkflow(workflow));

/** Returns what an activity threw, as the workflow gets it. */
function asReceived(error: unknown): unknown {
  const failure = defaultFailureConverter.errorToFailure(ensureApplicationFailure(error), converter);
  return defaultFailureConverter.failureToError(failure, converter);
}

describe('an error that an activity throws', () => {
  const declined = new PaymentDeclinedError('The card was declined.', { declineCode: '51' });

  it('reaches the workflow without its fields', () => {
    const received = asReceived(declined);
    expect(received).toMatchObject({ type: 'PaymentDeclinedError', message: 'The card was declined.' });
    expect(PaymentsError.from(received)).toBeUndefined();
  });

  it('reaches it whole in the details of a failure', () => {
    const { message, name: type } = declined;
    const received = asReceived(ApplicationFailure.create({ message, type, details: [declined.toJSON()] }));
    const [form] = received instanceof ApplicationFailure ? (received.details ?? []) : [];
    expect(PaymentsError.from(form)).toEqual(declined);
  });
});
