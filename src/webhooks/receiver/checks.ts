import { refuse } from '../../base/check-options.ts';
import { maxTimer } from '../../base/integer.ts';
import { type Issue, issueAt } from '../../base/issue.ts';
import { isRecord } from '../../base/json.ts';
import { functionOf, having, integerFrom, optionsOf } from '../../base/options.ts';
import * as s from '../../base/schema.ts';
import { issuesOf } from '../../base/validation.ts';
import type { UnknownEvent } from '../events/event.ts';
import { isKnownType } from '../events/known.ts';
import type { DeliveryFailure, ReceiverOptions, WebhookHandler, WebhookHandlers } from './options.ts';
import type { WebhookStore } from './store.ts';

const status = () => s.optional(integerFrom(1, 599));

const optionsSchema = optionsOf<ReceiverOptions>({
  on: s.custom<WebhookHandlers>(isRecord, 'handlers by the type of their event'),
  onUnknown: s.optional(functionOf<WebhookHandler<UnknownEvent>>()),
  store: having<WebhookStore>('a store, such as memoryStore()', 'claim'),
  lease: s.optional(integerFrom(1, maxTimer)),
  retention: s.optional(integerFrom(1)),
  onError: s.optional(functionOf<(failure: DeliveryFailure) => unknown>()),
  statuses: s.optional(
    optionsOf<NonNullable<ReceiverOptions['statuses']>>({
      handled: status(),
      duplicate: status(),
      ignored: status(),
      in_progress: status(),
      failed: status(),
      refused: status(),
    }),
  ),
});

/** Handlers have issues of their own, since a type has dots, which would read as a path. */
function handlerIssues([type, handler]: readonly [type: string, handler: unknown]): Issue[] {
  const path = `on['${type}']`;
  const issues: Issue[] = [];
  if (!isKnownType(type)) {
    const expected = 'a type of event that this version knows; onUnknown is for others';
    issues.push({ path, expected, received: 'another type' });
  }
  if (handler !== undefined && typeof handler !== 'function') {
    issues.push(issueAt(path, 'a function', handler));
  }
  return issues;
}

/** @throws ConfigurationError with everything that is wrong with the options. */
export function checkReceiverOptions(options: Readonly<Record<keyof ReceiverOptions, unknown>>): void {
  const { on } = options;
  const issues = [
    ...issuesOf(optionsSchema, options),
    ...(isRecord(on) ? Object.entries(on).flatMap(handlerIssues) : []),
  ];
  refuse(issues, 'Times are in ms. No event is handled until this is right.');
}
