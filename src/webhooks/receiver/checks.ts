import type { Issue } from '../../base/errors.ts';
import { namesOf, unknownNameIssues } from '../../base/unknown-names.ts';
import { integerIssues, isObject, issue, refuse } from '../checks.ts';
import { isKnownType } from '../events/known.ts';
import type { DeliveryOutcome, ReceiverOptions } from './options.ts';

/** The longest wait that a timer can hold, in ms. */
const maxTimer = 2 ** 31 - 1;

function handlerIssues(path: string, handler: unknown): Issue[] {
  if (handler === undefined || typeof handler === 'function') return [];
  return [issue(path, 'a function', handler)];
}

function typeIssues(type: string): Issue[] {
  if (isKnownType(type)) return [];
  const expected = 'a type of event that this version knows; onUnknown is for others';
  return [{ path: `on['${type}']`, expected, received: 'another type' }];
}

function handlersIssues(on: unknown): Issue[] {
  if (!isObject(on)) return [issue('on', 'handlers by the type of their event', on)];
  return Object.entries(on).flatMap(([type, handler]) => [
    ...typeIssues(type),
    ...handlerIssues(`on['${type}']`, handler),
  ]);
}

function storeIssues(store: unknown): Issue[] {
  return isObject(store) && 'claim' in store ? [] : [issue('store', 'a store, such as memoryStore()', store)];
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
  if (!isObject(statuses)) return [issue('statuses', 'statuses by outcome', statuses)];
  const wrong = Object.entries(statuses).filter(([, status]) => status !== undefined);
  return [
    ...unknownNameIssues('statuses.', statuses, outcomes),
    ...wrong.flatMap(([outcome, status]) => integerIssues(`statuses.${outcome}`, status, 599)),
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
    ...(lease === undefined ? [] : integerIssues('lease', lease, maxTimer)),
    ...(retention === undefined ? [] : integerIssues('retention', retention, Number.MAX_SAFE_INTEGER)),
  ];
  refuse(issues, 'Times are in ms. No event is handled until this is right.');
}
