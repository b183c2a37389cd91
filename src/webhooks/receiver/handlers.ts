import type { KnownWebhookEvent, WebhookEvent, WebhookEventMap, WebhookEventType } from '../events/event.ts';
import { isKnownEvent } from '../events/known.ts';
import type { WebhookHandlers } from './context.ts';
import type { CommonReceiverOptions } from './options.ts';

/** The handlers of a receiver. */
export type Handlers<Context> = Pick<CommonReceiverOptions<never, Context>, 'on' | 'onEvent'>;

/** Calls the handler of one event. */
export type Call<Context> = (context: Context) => unknown;

/** Generic, so that the compiler matches the handler and the event. */
function callOfType<Type extends WebhookEventType, Context>(
  on: WebhookHandlers<Context> | undefined,
  event: WebhookEventMap[Type] & { readonly type: Type },
): Call<Context> | undefined {
  const handler = on?.[event.type];
  return handler && ((context) => handler(event, context));
}

/** Returns the handler call for an event; `undefined` if there is no handler. */
export function callFor<Context>(
  { on, onEvent }: Handlers<Context>,
  event: WebhookEvent,
): Call<Context> | undefined {
  const call = isKnownEvent(event) ? callOfType<KnownWebhookEvent['type'], Context>(on, event) : undefined;
  return call ?? (onEvent && ((context) => onEvent(event, context)));
}
