import { refuse } from '../../base/check-options.ts';
import { maxTimer } from '../../base/integer.ts';
import { type Issue, issueAt } from '../../base/issue.ts';
import { isRecord } from '../../base/json.ts';
import { loggerSchema } from '../../base/logger.ts';
import { functionOf, having, integerFrom, optionsOf } from '../../base/options.ts';
import * as s from '../../base/schema.ts';
import { issuesOf } from '../../base/validation.ts';
import type { UnknownEvent } from '../events/event.ts';
import { isKnownType } from '../events/known.ts';
import type {
  DeliveryFailure,
  DeliveryInstrument,
  DeliveryReport,
  ReceiverOptions,
  UnreadableDelivery,
  WebhookHandler,
  WebhookHandlers,
} from './options.ts';
import type { WebhookStore } from './store.ts';

const status = () => s.optional(integerFrom(1, 599));
const consumerExpectation = '1 to 64 letters, digits, dots, hyphens and underscores';
const consumer = s.string(consumerExpectation).check(s.regex(/^[A-Za-z0-9._-]{1,64}$/, consumerExpectation));

const optionsSchema = optionsOf<ReceiverOptions>({
  on: s.custom<WebhookHandlers>(isRecord, 'handlers by the type of their event'),
  onUnknown: s.optional(functionOf<WebhookHandler<UnknownEvent>>()),
  onUnreadable: s.optional(functionOf<(delivery: UnreadableDelivery) => unknown>()),
  consumer: s.optional(consumer),
  store: having<WebhookStore>('a store, such as memoryStore()', 'claim', 'renew', 'complete', 'release'),
  keepBodies: s.optional(s.boolean()),
  lease: s.optional(integerFrom(1, maxTimer)),
  retention: s.optional(integerFrom(1)),
  storeTimeout: s.optional(integerFrom(1, maxTimer)),
  onError: s.optional(functionOf<(failure: DeliveryFailure) => unknown>()),
  onDelivery: s.optional(functionOf<(delivery: DeliveryReport) => unknown>()),
  logger: loggerSchema,
  instrument: s.optional(functionOf<DeliveryInstrument>()),
  statuses: s.optional(
    optionsOf<NonNullable<ReceiverOptions['statuses']>>({
      handled: status(),
      accepted: status(),
      duplicate: status(),
      ignored: status(),
      in_progress: status(),
      failed: status(),
      dead: status(),
      unreadable: status(),
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

/** A delivery that nobody took must come again. */
function unreadableIssues({ onUnreadable, statuses }: Readonly<Record<string, unknown>>): Issue[] {
  const chosen = isRecord(statuses) ? statuses['unreadable'] : undefined;
  if (onUnreadable !== undefined || typeof chosen !== 'number' || chosen >= 300) return [];
  const expected = '300 to 599, or onUnreadable to keep what the service does not repeat';
  return [issueAt('statuses.unreadable', expected, chosen)];
}

/** @throws ConfigurationError with everything that is wrong with the options. */
export function checkReceiverOptions(options: Readonly<Record<keyof ReceiverOptions, unknown>>): void {
  const { on } = options;
  const issues = [
    ...issuesOf(optionsSchema, options),
    ...unreadableIssues(options),
    ...(isRecord(on) ? Object.entries(on).flatMap(handlerIssues) : []),
  ];
  refuse(issues, 'Times are in ms. No event is handled until this is right.');
}
