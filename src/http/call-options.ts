import { maxTimer } from '../base/integer.ts';
import { type FieldsOf, integerFrom, optionsOf, timeFrom, unchecked } from '../base/options.ts';
import * as s from '../base/schema.ts';
import type { WebAbortSignal } from '../base/web-types.ts';
import type { KeyOptions } from './idempotency.ts';
import type { RequestOptions } from './options.ts';

export type CallOptions = RequestOptions & KeyOptions;

export type Bounds = { readonly [Name in 'timeout' | 'totalTimeout' | 'maxRetries']: number };

export const boundsFields = () => ({
  timeout: s.optional(timeFrom(1, maxTimer)),
  totalTimeout: s.optional(timeFrom(1, maxTimer)),
  maxRetries: s.optional(integerFrom(0, 100)),
});

/** Compares shape, not class, since test runners and polyfills bring classes of their own. */
function isAbortSignal(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || !('aborted' in value)) return false;
  return ['addEventListener', 'removeEventListener'].every(
    (name) => typeof Reflect.get(value, name) === 'function',
  );
}

export const requestOptionFields = (): FieldsOf<RequestOptions> => ({
  ...boundsFields(),
  signal: s.optional(s.custom<WebAbortSignal>(isAbortSignal, 'an AbortSignal')),
  headers: unchecked(),
});

export const callOptionsSchema = /* @__PURE__ */ optionsOf<CallOptions>(() => ({
  ...requestOptionFields(),
  // `chooseIdempotencyKey` checks these two.
  operationId: unchecked(),
  idempotencyKey: unchecked(),
}));

export const listOptionsSchema = /* @__PURE__ */ optionsOf<RequestOptions>(requestOptionFields);
