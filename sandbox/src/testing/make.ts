import type { WebhookEventMap, WebhookEventType } from 'payments-client/webhooks';
import { createSandbox, type Sandbox, type SandboxKind, type SandboxObjects } from 'payments-client-sandbox';
import type { TriggerFields } from '../scenarios/trigger/trigger.ts';

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
 * @throws Error when its sums do not add up, such as a charge that is refunded beyond its amount.
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
): WebhookEventMap[Type] {
  return workshop().trigger(type, fields);
}
