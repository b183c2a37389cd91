import type { WebhookEventType } from '../../../webhooks/events/event.ts';
import { billingPlots } from './billing-scenarios.ts';
import { otherPlots } from './other-scenarios.ts';
import { paymentPlots } from './payment-scenarios.ts';
import type { Plot } from './scenario.ts';

/** How each event comes to happen. A type without a plot does not compile. */
const plots: { readonly [Type in WebhookEventType]: Plot } = {
  ...paymentPlots,
  ...billingPlots,
  ...otherPlots,
};

/** All types that can be triggered. */
export const plotNames: readonly string[] = Object.keys(plots);

/** How an event of a type comes to happen; `undefined` where there is no such type. */
export function plotOf(type: string): Plot | undefined {
  return Object.entries(plots).find(([name]) => name === type)?.[1];
}
