import { meantBy } from '../../base/advice.ts';
import { refuse } from '../../base/errors.ts';
import { type Issue, issueAt } from '../../base/issue.ts';
import { isRecord } from '../../base/json.ts';
import { maxTimer } from '../../base/numbers.ts';
import { functionOf, having, optionsOf, timeFrom, unchecked } from '../../base/schema/options.ts';
import * as s from '../../base/schema/schema.ts';
import { issuesOf } from '../../base/schema/validation.ts';
import { maxDuration } from '../../stores/checks.ts';
import type { WebhookEvent } from '../events/event.ts';
import { isKnownType, knownTypes } from '../events/known.ts';
import { typesElsewhere } from '../events/types-elsewhere.ts';
import type { ReceiverContext, TransactionContext, WebhookHandlers } from './context.ts';
import type { WebhookJob } from './job.ts';
import type { CommonReceiverOptions, TransactionReceiverOptions, WebhookStore } from './options.ts';
import type { DeliveryFailure, DeliveryReport, UnreadableDelivery } from './reports/report.ts';

const consumerExpectation = '1 to 64 letters, digits, dots, hyphens and underscores';
const consumer = /* @__PURE__ */ s.lazily(() =>
  s.string(consumerExpectation).check(s.regex(/^[A-Za-z0-9._-]{1,64}$/, consumerExpectation)),
);

/** The context of either kind of receiver. */
type Context = ReceiverContext & TransactionContext<never>;

/** The options of either kind of receiver. */
type Options = CommonReceiverOptions<never, Context> & Pick<TransactionReceiverOptions<never>, 'transaction'>;

const optionsSchema = /* @__PURE__ */ optionsOf<Options>(() => ({
  on: s.optional(s.custom<WebhookHandlers<Context>>(isRecord, 'handlers by the type of their event')),
  onEvent: s.optional(functionOf<(event: WebhookEvent, context: Context) => unknown>()),
  onUnreadable: s.optional(functionOf<(delivery: UnreadableDelivery) => unknown>()),
  enqueue: s.optional(functionOf<(job: WebhookJob) => unknown>()),
  consumer: s.optional(consumer),
  store: having<WebhookStore>(
    'a store, such as memoryStore()',
    ...(['claim', 'renew', 'complete', 'release', 'open'] as const),
  ),
  transaction: unchecked(),
  lease: s.optional(timeFrom(1, maxTimer)),
  retention: s.optional(timeFrom(1, maxDuration)),
  onError: s.optional(functionOf<(failure: DeliveryFailure) => unknown>()),
  onDelivery: s.optional(functionOf<(delivery: DeliveryReport) => unknown>()),
}));

/** Handlers get issues of their own: an event type contains dots, which would read as a path. */
function handlerIssues([type, handler]: readonly [type: string, handler: unknown]): Issue[] {
  const path = `on['${type}']`;
  const issues: Issue[] = [];
  if (!isKnownType(type)) {
    const expected = 'a type of event that this version knows; onEvent is for others';
    issues.push({ path, expected, received: `another type${meantBy(type, knownTypes(), typesElsewhere)}` });
  }
  if (handler !== undefined && typeof handler !== 'function') {
    issues.push(issueAt(path, 'a function', handler));
  }
  return issues;
}

function transactionIssues({ store, transaction }: Readonly<Record<string, unknown>>): Issue[] {
  if (transaction === undefined) return [];
  const issues: Issue[] = [];
  if (typeof transaction !== 'function') {
    issues.push(issueAt('transaction', 'a function that runs another in a transaction', transaction));
  }
  if (isRecord(store) && typeof store['record'] !== 'function') {
    issues.push(issueAt('store', "a store with record, such as postgresStore, for 'transaction'", store));
  }
  return issues;
}

/** Without a handler, every event would be dropped. The handlers of a queue's worker may be in another program. */
function missingHandlers({ on, onEvent, enqueue }: Readonly<Record<string, unknown>>): Issue[] {
  return [on, onEvent, enqueue].every((option) => option === undefined)
    ? [issueAt('on', 'handlers by the type of their event, or onEvent', on)]
    : [];
}

/** Options of `Webhooks`, which all of its receivers share. */
const ofWebhooks = [
  'instrument',
  'interface',
  'livemode',
  'logger',
  'maxBodyBytes',
  'now',
  'scheme',
  'secret',
  'secrets',
  'tolerance',
  'validation',
];

/** Says where an option belongs that receivers do not have. */
function placed(issue: Issue): Issue {
  if (!ofWebhooks.includes(issue.path)) return issue;
  return { ...issue, expected: `new Webhooks({ ${issue.path} })`, received: 'an option of the receiver' };
}

/** @throws ConfigurationError that lists every wrong option. */
export function checkReceiverOptions(options: Readonly<Record<string, unknown>>): void {
  const on = options['on'];
  const issues = [
    ...missingHandlers(options),
    ...issuesOf(optionsSchema, options).map(placed),
    ...transactionIssues(options),
    ...(isRecord(on) ? Object.entries(on).flatMap(handlerIssues) : []),
  ];
  if (issues.length > 0) refuse(issues, 'No event is handled until this is right.');
}
