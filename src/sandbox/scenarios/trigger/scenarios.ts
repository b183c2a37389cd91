import type { WebhookEventType } from '../../../webhooks/events/event.ts';
import { billingScenarios } from './billing-scenarios.ts';
import { connectScenarios } from './connect-scenarios.ts';
import { otherScenarios } from './other-scenarios.ts';
import { paymentScenarios } from './payment-scenarios.ts';
import type { Scenario } from './scenario.ts';

/** How each event comes to happen. A type without a scenario does not compile. */
const scenarios: { readonly [Type in WebhookEventType]: Scenario } = {
  ...paymentScenarios,
  ...billingScenarios,
  ...connectScenarios,
  ...otherScenarios,
};

/** How an event of a type comes to happen; `undefined` where there is no such type. */
export function scenarioOf(type: string): Scenario | undefined {
  return Object.entries(scenarios).find(([name]) => name === type)?.[1];
}
