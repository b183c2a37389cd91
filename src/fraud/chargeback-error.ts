import { defineErrorClass } from '../base/errors.ts';
import { formatIssue } from '../base/issue.ts';
import { isRecord } from '../base/json.ts';

const brand = /* @__PURE__ */ Symbol.for('payments-client/ChargebackFormatError');

/** An invalid field of a chargeback notification. */
export interface ChargebackIssue {
  /** The path of the field, for example `due_date`; `(root)` for the whole value. */
  readonly path: string;
  /** The expected value in words. */
  readonly expected: string;
  /** The received value in words; never quoted. */
  readonly received: string;
}

/**
 * A value is not a chargeback notification. The message names each invalid field and quotes no value.
 *
 * `instanceof` works across the ESM and CommonJS builds.
 */
export class ChargebackFormatError extends Error {
  /** All invalid fields. */
  readonly issues: readonly ChargebackIssue[];

  static {
    defineErrorClass(this, 'ChargebackFormatError');
  }

  /** Returns whether a value is such an error, created by either build of the package. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return isRecord(value) && brand in value;
  }

  /** @internal */
  constructor(issues: readonly ChargebackIssue[]) {
    super(`chargeback: ${issues.map(formatIssue).join('; ')}`);
    this.issues = issues;
  }
}
