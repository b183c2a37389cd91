import { refuseValue } from '../../base/errors.ts';
import { isRecord } from '../../base/json.ts';
import { type AvsResult, readAvs } from './avs.ts';
import { type CvvResult, readCvv } from './cvv.ts';
import { type RiskResult, readRisk } from './risk.ts';

/**
 * The columns of a payment's checks, as in the table of `examples/fraud-figures.sql`. A field that is null or absent was not
 * checked.
 */
type CheckFields = {
  /** The AVS code as received. */
  readonly avsresponse?: string | null | undefined;
  /** The CVV code as received. */
  readonly cvvresponse?: string | null | undefined;
  /** The risk score, from 0 to 100, as a number or as received. */
  readonly risk_score?: number | string | null | undefined;
  /** The risk decision as received. */
  readonly risk_decision?: string | null | undefined;
};

/** The meaning of a payment's checks, under the names of a transaction's result. */
type Checks = {
  /** The address check; `undefined` if there was none. */
  readonly avs: AvsResult | undefined;
  /** The security-code check; `undefined` if there was none. */
  readonly cvv: CvvResult | undefined;
  /** The fraud scoring; `undefined` if there was none. */
  readonly risk: RiskResult | undefined;
};

/**
 * Returns the meaning of a recorded payment's checks; the result of a sale has it already. A code that the interface does not list
 * has the `source` `unknown` and the recommendation `review` (*inferred*).
 *
 * @throws ConfigurationError for anything but an object.
 *
 * @example
 * const checks = readChecks({ avsresponse: 'Y', cvvresponse: 'M', risk_score: '12' });
 * const { decision } = assessFraud({ approved: true, response: '1', ...checks });
 */
export function readChecks(fields: CheckFields): Checks {
  if (!isRecord(fields)) return refuseValue('fields', 'the columns of a payment', fields, 'Pass a row.');
  const { avsresponse, cvvresponse, risk_score, risk_decision } = fields;
  return {
    avs: readAvs(avsresponse ?? ''),
    cvv: readCvv(cvvresponse ?? ''),
    risk: readRisk(String(risk_score ?? ''), risk_decision ?? ''),
  };
}
