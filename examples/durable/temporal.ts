/**
 * Charges an order once as a workflow of Temporal. Give your worker the steps as activities:
 * `Worker.create({ taskQueue: 'orders', workflowsPath: require.resolve('./temporal'), activities: stepsOf(new PaymentsClient()) })`.
 */

import { proxyActivities } from '@temporalio/workflow';
import { type Order, payOrder, type Steps } from './order.ts';

// Longer than a call and the wait for the intent together.
const steps = proxyActivities<Steps>({ startToCloseTimeout: '10 minutes' });

/** Start it with the order's id as its `workflowId`. */
export function payOrderWorkflow(order: Order): Promise<string> {
  return payOrder(steps, order);
}
