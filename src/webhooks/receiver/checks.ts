import { maxTimer } from '../../base/integer.ts';
import { type Issue, issueAt } from '../../base/issue.ts';
import { isRecord } from '../../base/json.ts';
import { loggerSchema } from '../../base/logger.ts';
import { meantBy } from '../../base/nearest.ts';
import { functionOf, having, integerFrom, optionsOf, timeFrom, unchecked } from '../../base/options.ts';
import { refuse } from '../../base/refuse.ts';
import * as s from '../../base/schema.ts';
import { issuesOf } from '../../base/validation.ts';
import { maxDuration } from '../../stores/checks.ts';
import type { WebhookEvent } from '../events/event.ts';
import { isKnownType, knownTypes } from '../events/known.ts';
import type { ReceiverContext, TransactionContext, WebhookHandlers } from './context.ts';
import type { WebhookJob } from './job.ts';
import type { CommonReceiverOptions, TransactionReceiverOptions, WebhookStore } from './options.ts';
import type {
  DeliveryFailure,
  DeliveryInstrument,
  DeliveryOutcome,
  DeliveryReport,
  UnreadableDelivery,
} from './report.ts';

/** A server cannot end a response with a status below 200. */
const status = () => s.optional(integerFrom(200, 599));
const consumerExpectation = '1 to 64 letters, digits, dots, hyphens and underscores';
const consumer = s.lazily(() =>
  s.string(consumerExpectation).check(s.regex(/^[A-Za-z0-9._-]{1,64}$/, consumerExpectation)),
);

/** The context of either kind of receiver. */
type Context = ReceiverContext & TransactionContext<never>;

/** The options of either kind of receiver. */
type Options = CommonReceiverOptions<never, Context> & Pick<TransactionReceiverOptions<never>, 'transaction'>;

const optionsSchema = optionsOf<Options>(() => ({
  on: s.optional(s.custom<WebhookHandlers<Context>>(isRecord, 'handlers by the type of their event')),
  onEvent: s.optional(functionOf<(event: WebhookEvent, context: Context) => unknown>()),
  onUnreadable: s.optional(functionOf<(delivery: UnreadableDelivery) => unknown>()),
  enqueue: s.optional(functionOf<(job: WebhookJob) => unknown>()),
  consumer: s.optional(consumer),
  store: having<WebhookStore>('a store, such as memoryStore()', 'claim', 'renew', 'complete', 'release'),
  transaction: unchecked(),
  lease: s.optional(timeFrom(1, maxTimer)),
  retention: s.optional(timeFrom(1, maxDuration)),
  storeTimeout: s.optional(timeFrom(1, maxTimer)),
  onError: s.optional(functionOf<(failure: DeliveryFailure) => unknown>()),
  onDelivery: s.optional(functionOf<(delivery: DeliveryReport) => unknown>()),
  logger: loggerSchema,
  instrument: s.optional(functionOf<DeliveryInstrument>()),
  statuses: s.optional(
    optionsOf<Readonly<Record<DeliveryOutcome, number | undefined>>>(() => ({
      handled: status(),
      enqueued: status(),
      duplicate: status(),
      ignored: status(),
      in_progress: status(),
      failed: status(),
      unreadable: status(),
      refused: status(),
    })),
  ),
}));

/** Handlers get issues of their own: an event type contains dots, which would read as a path. */
function handlerIssues([type, handler]: readonly [type: string, handler: unknown]): Issue[] {
  const path = `on['${type}']`;
  const issues: Issue[] = [];
  if (!isKnownType(type)) {
    const expected = 'a type of event that this version knows; onEvent is for others';
    issues.push({ path, expected, received: `another type${meantBy(type, knownTypes())}` });
  }
  if (handler !== undefined && typeof handler !== 'function') {
    issues.push(issueAt(path, 'a function', handler));
  }
  return issues;
}

/** An unreadable delivery that no handler took must be redelivered. */
function unreadableIssues({ onUnreadable, statuses }: Readonly<Record<string, unknown>>): Issue[] {
  const chosen = isRecord(statuses) ? statuses['unreadable'] : undefined;
  if (onUnreadable !== undefined || typeof chosen !== 'number' || chosen >= 300) return [];
  const expected = '300 to 599, or onUnreadable to keep what the service does not repeat';
  return [issueAt('statuses.unreadable', expected, chosen)];
}

function transactionIssues({ store, transaction }: Readonly<Record<string, unknown>>): Issue[] {
  if (transaction === undefined) return [];
  const issues: Issue[] = [];
  if (typeof transaction !== 'function') {
    issues.push(issueAt('transaction', 'a function that runs another in a transaction', transaction));
  }
  if (isRecord(store) && typeof store['record'] !== 'function') {
    issues.push(issueAt('store', "a store with record, for 'transaction'", store));
  }
  return issues;
}

/** Without a handler, every event would be ignored. The handlers of a queue's worker may be in another program. */
function missingHandlers({ on, onEvent, enqueue }: Readonly<Record<string, unknown>>): Issue[] {
  return [on, onEvent, enqueue].every((option) => option === undefined)
    ? [issueAt('on', 'handlers by the type of their event, or onEvent', on)]
    : [];
}

/** @throws ConfigurationError that lists every wrong option. */
export function checkReceiverOptions(options: Readonly<Record<string, unknown>>): void {
  const on = options['on'];
  const issues = [
    ...missingHandlers(options),
    ...issuesOf(optionsSchema, options),
    ...transactionIssues(options),
    ...unreadableIssues(options),
    ...(isRecord(on) ? Object.entries(on).flatMap(handlerIssues) : []),
  ];
  if (issues.length > 0) refuse(issues, 'No event is handled until this is right.');
}
