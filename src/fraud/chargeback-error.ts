import { defineErrorClass } from '../base/errors.ts';
import { formatIssue } from '../base/issue.ts';
import { isRecord } from '../base/json.ts';

const brand = /* @__PURE__ */ Symbol.for('payments-client/ChargebackFormatError');

/** A wrong field of a chargeback notification. */
export interface ChargebackIssue {
  /** Where it is, for example `due_date`; `(root)` for the whole value. */
  readonly path: string;
  /** What was expected there, in words. */
  readonly expected: string;
  /** What came, in words; its text is never repeated. */
  readonly received: string;
}

/**
 * A value is not a chargeback notification. The message names each wrong field and repeats no value.
 *
 * `instanceof` works across the ESM and CommonJS builds.
 */
export class ChargebackFormatError extends Error {
  /** Each wrong field. */
  readonly issues: readonly ChargebackIssue[];

  static {
    defineErrorClass(this, 'ChargebackFormatError');
  }

  /** Whether a value is such an error, made by this build of the package or by the other. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return isRecord(value) && brand in value;
  }

  /** @internal */
  constructor(issues: readonly ChargebackIssue[]) {
    super(`chargeback: ${issues.map(formatIssue).join('; ')}`);
    this.issues = issues;
  }
}
