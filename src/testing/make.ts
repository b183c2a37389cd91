import { checkOptions } from '../base/check-options.ts';
import { optionsOf, unchecked } from '../base/options.ts';
import { createSandbox, type Sandbox, type SandboxKind, type SandboxObjects } from '../sandbox/index.ts';
import type { TriggerFields } from '../sandbox/scenarios/trigger/trigger.ts';
import type { WebhookEvent, WebhookEventMap, WebhookEventType } from '../webhooks/events/event.ts';
import type { SignatureScheme } from '../webhooks/signatures/scheme.ts';
import { Webhooks } from '../webhooks/webhooks.ts';

let hidden: Sandbox | undefined;

/** One sandbox for all, so that no two objects of a test have the same id. */
function workshop(): Sandbox {
  hidden ??= createSandbox();
  return hidden;
}

/** Calls the sandbox. Its errors name the function that the caller knows. */
function under<Made>(name: string, run: (sandbox: Sandbox) => Made): Made {
  try {
    return run(workshop());
  } catch (error) {
    const { message } = error instanceof Error ? error : new Error(String(error));
    throw new Error(message.replace(/^sandbox\.(?:add|trigger)(?=:)/, name));
  }
}

/**
 * Returns a valid resource of any kind, as the client returns it; `fields` override its defaults.
 *
 * @param kind The value of its `object` field.
 * @throws Error when a field is invalid for the kind.
 *
 * @example
 * const refund = make('refund', { amount: 500, status: 'failed' });
 */
export function make<Kind extends SandboxKind>(
  kind: Kind,
  fields?: Partial<SandboxObjects[Kind]>,
): SandboxObjects[Kind] {
  return under('make', (sandbox) => sandbox.add(kind, fields));
}

/**
 * Returns a valid event of any type, as a handler gets it; `fields` are those of its object.
 *
 * @throws Error when there is no such type, or an object with these fields cannot have such an event.
 *
 * @example
 * await onRefundFailed(makeEvent('refund.failed', { amount: 500 }));
 */
export function makeEvent<Type extends WebhookEventType>(
  type: Type,
  fields?: TriggerFields<Type>,
): WebhookEventMap[Type] {
  return under('makeEvent', (sandbox) => sandbox.trigger(type, fields));
}

/** Options of `makeDelivery`. */
export interface DeliveryOptions {
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

/** A delivery to a receiver. Pass it to `receiver.handle`, or send a POST with this body and these headers. */
export interface Delivery {
  /** The body, byte for byte as it is signed. */
  readonly body: string;
  /** The headers, by name in lower case. */
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Returns a signed delivery of an event, to send to your endpoint.
 *
 * @throws ConfigurationError for an invalid secret or an unknown option.
 *
 * @example
 * const { body, headers } = await makeDelivery(makeEvent('refund.failed'), { secret });
 * const response = await hono.request('/webhooks', { method: 'POST', body, headers });
 */
export async function makeDelivery(event: WebhookEvent, options: DeliveryOptions): Promise<Delivery> {
  checkOptions('makeDelivery', optionsSchema, options);
  const body = JSON.stringify(event);
  return { body, headers: await new Webhooks(options).sign(body) };
}
