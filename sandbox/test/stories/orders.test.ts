/** Verdicts and needs: was this order charged once, and what to do now? */

import { describe, expect, it, onTestFinished } from 'vitest';
import { makeOrder, moreOrders, troubledOrders } from '../../../test/support/troubled-orders.ts';

describe('the verdict', () => {
  it.each([...troubledOrders, ...moreOrders])('$id: $what', async (order) => {
    const sandbox = await makeOrder(order);
    onTestFinished(() => sandbox.close());
    const { verdict, reason, needs } = sandbox.story(order.id) ?? {};
    expect({ verdict, reason, needs: needs && { why: needs.why, action: needs.action } }).toEqual({
      verdict: order.verdict,
      reason: order.reason,
      needs: order.needs ?? null,
    });
  });
});
