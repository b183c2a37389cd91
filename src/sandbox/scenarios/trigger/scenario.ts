import type { WebhookEventType } from '../../../webhooks/events/event.ts';
import type { ScenarioRun } from './scenario-run.ts';

/** How an event comes to happen. Gives the object that it is about. */
export type Scenario = (run: ScenarioRun) => { readonly id: string };

/** Scenarios by the type of their event. */
export type Scenarios = { readonly [Type in WebhookEventType]?: Scenario };
