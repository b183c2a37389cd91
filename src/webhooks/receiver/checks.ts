import { ConfigurationError, type Issue } from '../../core/errors.ts';
import { isKnownType } from '../events/known.ts';

/** The longest wait that a timer can hold, in ms. */
const maxTimer = 2 ** 31 - 1;

function handlerIssues(path: string, handler: unknown): Issue[] {
  if (handler === undefined || typeof handler === 'function') return [];
  return [{ path, expected: 'a function', received: `a value of type ${typeof handler}` }];
}

function typeIssues(type: string): Issue[] {
  if (isKnownType(type)) return [];
  const expected = 'a type of event that this version knows; onUnknown is for others';
  return [{ path: `on['${type}']`, expected, received: 'another type' }];
}

function msIssues(path: string, value: unknown, max: number): Issue[] {
  if (value === undefined) return [];
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 1 && value <= max) return [];
  return [
    {
      path,
      expected: `an integer from 1 to ${max}, in ms`,
      received: `another value of type ${typeof value}`,
    },
  ];
}

function storeIssues(store: unknown): Issue[] {
  if (typeof store === 'object' && store !== null && 'claim' in store) return [];
  return [{ path: 'store', expected: 'a store, such as memoryStore()', received: 'none' }];
}

/** What a program without types may have got wrong. */
export interface UncheckedOptions {
  readonly on: object;
  readonly onUnknown?: unknown;
  readonly store: unknown;
  readonly lease?: unknown;
  readonly retention?: unknown;
}

/** @throws ConfigurationError with everything that is wrong with the options. */
export function checkReceiverOptions({ on, onUnknown, store, lease, retention }: UncheckedOptions): void {
  const issues = [
    ...Object.entries(on).flatMap(([type, handler]) => [
      ...typeIssues(type),
      ...handlerIssues(`on['${type}']`, handler),
    ]),
    ...handlerIssues('onUnknown', onUnknown),
    ...storeIssues(store),
    ...msIssues('lease', lease, maxTimer),
    ...msIssues('retention', retention, Number.MAX_SAFE_INTEGER),
  ];
  if (issues.length > 0) throw new ConfigurationError(issues, 'No event is handled until this is right.');
}
