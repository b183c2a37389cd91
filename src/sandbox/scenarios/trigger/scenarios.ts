import type { WebhookEventType } from '../../../webhooks/events/event.ts';
import { billingScenarios } from './billing-scenarios.ts';
import { connectScenarios } from './connect-scenarios.ts';
import { otherScenarios } from './other-scenarios.ts';
import { paymentScenarios } from './payment-scenarios.ts';
import type { Scenario } from './scenario.ts';

/** All scenarios. A missing one does not compile. */
const scenarios: { readonly [Type in WebhookEventType]: Scenario } = {
  ...paymentScenarios,
  ...billingScenarios,
  ...connectScenarios,
  ...otherScenarios,
};

/** Returns the scenario of an event type; `undefined` for an unknown type. */
export function scenarioOf(type: string): Scenario | undefined {
  return Object.entries(scenarios).find(([name]) => name === type)?.[1];
}
