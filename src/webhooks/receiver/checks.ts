import type { Issue } from '../../base/errors.ts';
import { integerIssues, maxTimer } from '../../base/integer.ts';
import { issueAt } from '../../base/issue.ts';
import { isRecord } from '../../base/json.ts';
import { namesOf, unknownNameIssues } from '../../base/unknown-names.ts';
import { refuse } from '../checks.ts';
import { isKnownType } from '../events/known.ts';
import type { DeliveryOutcome, ReceiverOptions } from './options.ts';

function handlerIssues(path: string, handler: unknown): Issue[] {
  if (handler === undefined || typeof handler === 'function') return [];
  return [issueAt(path, 'a function', handler)];
}

function typeIssues(type: string): Issue[] {
  if (isKnownType(type)) return [];
  const expected = 'a type of event that this version knows; onUnknown is for others';
  return [{ path: `on['${type}']`, expected, received: 'another type' }];
}

function handlersIssues(on: unknown): Issue[] {
  if (!isRecord(on)) return [issueAt('on', 'handlers by the type of their event', on)];
  return Object.entries(on).flatMap(([type, handler]) => [
    ...typeIssues(type),
    ...handlerIssues(`on['${type}']`, handler),
  ]);
}

function storeIssues(store: unknown): Issue[] {
  return isRecord(store) && 'claim' in store
    ? []
    : [issueAt('store', 'a store, such as memoryStore()', store)];
}

const optionNames = namesOf<ReceiverOptions>({
  on: true,
  onUnknown: true,
  store: true,
  lease: true,
  retention: true,
  onError: true,
  statuses: true,
});

const outcomes = namesOf<Record<DeliveryOutcome, number>>({
  handled: true,
  duplicate: true,
  ignored: true,
  in_progress: true,
  failed: true,
  refused: true,
});

function statusIssues(statuses: unknown): Issue[] {
  if (statuses === undefined) return [];
  if (!isRecord(statuses)) return [issueAt('statuses', 'statuses by outcome', statuses)];
  return [
    ...unknownNameIssues('statuses.', statuses, outcomes),
    ...Object.entries(statuses).flatMap(([outcome, status]) =>
      integerIssues(`statuses.${outcome}`, status, 1, 599),
    ),
  ];
}

/** What a program without types may have got wrong. */
export interface UncheckedOptions {
  readonly on: unknown;
  readonly onUnknown?: unknown;
  readonly store: unknown;
  readonly lease?: unknown;
  readonly retention?: unknown;
  readonly onError?: unknown;
  readonly statuses?: unknown;
}

/** @throws ConfigurationError with everything that is wrong with the options. */
export function checkReceiverOptions(options: UncheckedOptions): void {
  const { on, onUnknown, store, lease, retention, onError, statuses } = Object(options);
  const issues = [
    ...unknownNameIssues('', Object(options), optionNames),
    ...handlersIssues(on),
    ...handlerIssues('onUnknown', onUnknown),
    ...handlerIssues('onError', onError),
    ...storeIssues(store),
    ...statusIssues(statuses),
    ...integerIssues('lease', lease, 1, maxTimer),
    ...integerIssues('retention', retention, 1),
  ];
  refuse(issues, 'Times are in ms. No event is handled until this is right.');
}
