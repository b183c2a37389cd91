import { checkOptions } from '../base/check-options.ts';
import { optionsOf, unchecked } from '../base/options.ts';
import {
  createSandbox,
  type Sandbox,
  type SandboxKind,
  type SandboxObjects,
  type TriggeredEvent,
  type TriggerFields,
} from '../sandbox/index.ts';
import type { WebhookEvent, WebhookEventType } from '../webhooks/events/event.ts';
import type { SignatureScheme } from '../webhooks/signatures/scheme.ts';
import { Webhooks } from '../webhooks/webhooks.ts';

let hidden: Sandbox | undefined;

/** One sandbox for all, so that no two objects of a test have the same id. */
function workshop(): Sandbox {
  hidden ??= createSandbox();
  return hidden;
}

/**
 * Returns a valid resource of any kind, as the client returns it; `fields` override its defaults.
 *
 * @param kind The value of its `object` field.
 * @throws ConfigurationError when there is no such kind, or a field is invalid for it.
 *
 * @example
 * const refund = make('refund', { amount: 500, status: 'failed' });
 */
export function make<Kind extends SandboxKind>(
  kind: Kind,
  fields?: Partial<SandboxObjects[Kind]>,
): SandboxObjects[Kind] {
  return workshop().add(kind, fields);
}

/**
 * Returns a valid event of any type, as a handler gets it; `fields` are those of its object.
 *
 * @throws ConfigurationError when there is no such type, or a field is invalid.
 * @throws Error when an object with these fields cannot have such an event.
 *
 * @example
 * await onRefundFailed(makeEvent('refund.failed', { amount: 500 }));
 */
export function makeEvent<Type extends WebhookEventType>(
  type: Type,
  fields?: TriggerFields<Type>,
): TriggeredEvent<Type> {
  return workshop().trigger(type, fields);
}

/** Options of `makeDelivery`. */
interface DeliveryOptions {
  /** The endpoint's secret, the same as in your receiver. */
  readonly secret: string;
  /** The signature scheme. Default: `standardWebhooks()`, as for `Webhooks`. */
  readonly scheme?: SignatureScheme | undefined;
}

const optionsSchema = optionsOf<DeliveryOptions>({
  // `Webhooks` checks both.
  secret: unchecked(),
  scheme: unchecked(),
});

/**
 * Returns a signed delivery of an event. Pass it to `receiver.handle`, or send a POST with its body and headers to your endpoint.
 *
 * @throws ConfigurationError for an invalid secret or an unknown option.
 *
 * @example
 * const { body, headers } = await makeDelivery(makeEvent('refund.failed'), { secret });
 * const response = await hono.request('/webhooks', { method: 'POST', body, headers });
 */
export async function makeDelivery(
  event: WebhookEvent,
  options: DeliveryOptions,
): Promise<{
  /** The body, byte for byte as it is signed. */
  readonly body: string;
  /** The headers, by name in lower case. */
  readonly headers: Readonly<Record<string, string>>;
}> {
  checkOptions('makeDelivery', optionsSchema, options);
  const body = JSON.stringify(event);
  return { body, headers: await new Webhooks(options).sign(body) };
}
