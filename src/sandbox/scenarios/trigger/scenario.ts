import type { WebhookEventType } from '../../../webhooks/events/event.ts';
import type { ScenarioRun } from './scenario-run.ts';

/** Makes the state change behind an event. Returns the event's object. */
export type Scenario = (run: ScenarioRun) => { readonly id: string };

/** Scenarios by event type. */
export type Scenarios = { readonly [Type in WebhookEventType]?: Scenario };
