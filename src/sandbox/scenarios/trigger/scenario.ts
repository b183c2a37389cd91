import type { WebhookEventType } from '../../../webhooks/events/event.ts';
import type { Scene } from './scenario-run.ts';

/** How an event comes to happen. Gives the object that it is about. */
export type Plot = (scene: Scene) => { readonly id: string };

/** Plots by the type of their event. */
export type Plots = { readonly [Type in WebhookEventType]?: Plot };
