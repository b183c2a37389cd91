import { isRecord } from './json.ts';

/** Whether a value is a promise, of whatever class or realm. */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return isRecord(value) && typeof value['then'] === 'function';
}
