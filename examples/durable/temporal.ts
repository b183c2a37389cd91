/**
 * Charges an order once as a workflow of Temporal. Give your worker the step as an activity, with the `orders` of your shop:
 * `Worker.create({ taskQueue: 'orders', workflowsPath: require.resolve('./temporal'), activities: stepsOf(orders) })`.
 */

import { proxyActivities } from '@temporalio/workflow';
import { type Order, payOrder, type Steps } from './order.ts';

// Longer than the calls of a step together.
const steps = proxyActivities<Steps>({ startToCloseTimeout: '10 minutes' });

/** Start it with the order's id as its `workflowId`. */
export function payOrderWorkflow(order: Order) {
  return payOrder(steps, order);
}
