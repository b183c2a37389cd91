import { checkOptions } from '../base/check-options.ts';
import { type FieldsOf, integerFrom } from '../base/options.ts';
import * as s from '../base/schema.ts';
import { readAvs } from './avs.ts';
import { readChargebackReason } from './chargeback-reasons.ts';
import { readCvv } from './cvv.ts';

/**
 * A row of your table of card payments. Its names are the columns of the table in `docs/fraud.md`, so rows need no
 * mapping. A field that is null or absent is not counted.
 */
export interface FraudRecord {
  /** Whether the transaction was approved. Omit it if there was no transaction, for example if only an authentication ran. */
  readonly approved?: boolean | null | undefined;
  /** The AVS code as received. */
  readonly avsresponse?: string | null | undefined;
  /** The CVV code as received. */
  readonly cvvresponse?: string | null | undefined;
  /** The risk score, from 0 to 100. */
  readonly risk_score?: number | null | undefined;
  /** Whether 3-D Secure authenticated the buyer. Null while a challenge is open. */
  readonly authenticated?: boolean | null | undefined;
  /** The `reason_code` of its chargeback, or an empty string if you do not know it. Null without a chargeback. */
  readonly chargeback_reason?: string | null | undefined;
  /** Whether you found it to be fraud. Default: true if `chargeback_reason` is a code of fraud. */
  readonly is_fraud?: boolean | null | undefined;
}

/** The counts from which the six figures are computed; each is an integer from 0. */
export interface FraudCounts {
  /** Approved transactions. */
  readonly transactions: number;
  /** Records of fraud, except declined transactions. */
  readonly frauds: number;
  /** Records with a chargeback. */
  readonly chargebacks: number;
  /** Finished authentications by 3-D Secure. */
  readonly authentications: number;
  /** Successful authentications. */
  readonly authenticated: number;
  /** Address checks in which something was compared. */
  readonly avsChecked: number;
  /** Address checks in which everything that was compared matches. */
  readonly avsMatched: number;
  /** Security-code checks in which the code was compared. */
  readonly cvvChecked: number;
  /** Security-code checks that match. */
  readonly cvvMatched: number;
  /** Records with a risk score. */
  readonly scored: number;
  /** The sum of their scores. */
  readonly scoreSum: number;
}

const flag = () => s.optional(s.nullable(s.boolean()));
const text = () => s.optional(s.nullable(s.string()));
const recordFields = (): FieldsOf<FraudRecord> => ({
  approved: flag(),
  avsresponse: text(),
  cvvresponse: text(),
  risk_score: s.optional(s.nullable(integerFrom(0, 100))),
  authenticated: flag(),
  chargeback_reason: text(),
  is_fraud: flag(),
});
const recordSchema = s.lazily(() => s.object(recordFields()));

const advice = 'Map the columns of your table to these types.';

/**
 * Counts records, as the SQL in `docs/fraud.md` does in the database.
 *
 * @throws ConfigurationError for a field of the wrong kind, such as `approved: 1`, or a risk score out of bounds.
 */
export function countFraud(records: Iterable<FraudRecord>): FraudCounts {
  const counts: Counting = { ...noCounts };
  let index = 0;
  for (const record of records) {
    checkOptions(`records[${index}]`, recordSchema, record, advice);
    count(record, counts);
    index += 1;
  }
  return counts;
}

type Counting = { -readonly [Name in keyof FraudCounts]: number };

const noCounts: FraudCounts = {
  transactions: 0,
  frauds: 0,
  chargebacks: 0,
  authentications: 0,
  authenticated: 0,
  avsChecked: 0,
  avsMatched: 0,
  cvvChecked: 0,
  cvvMatched: 0,
  scored: 0,
  scoreSum: 0,
};

function count(record: FraudRecord, counts: Counting): void {
  const { approved, authenticated, risk_score, chargeback_reason } = record;
  const avs = readAvs(record.avsresponse ?? '');
  const compared = [avs?.street, avs?.zip].filter((part) => part !== undefined);
  const cvv = readCvv(record.cvvresponse ?? '');
  counts.transactions += Number(approved === true);
  counts.frauds += Number(approved !== false && isFraud(record));
  counts.chargebacks += Number(typeof chargeback_reason === 'string');
  counts.authentications += Number(typeof authenticated === 'boolean');
  counts.authenticated += Number(authenticated === true);
  counts.avsChecked += Number(compared.length > 0);
  counts.avsMatched += Number(compared.length > 0 && compared.every(Boolean));
  counts.cvvChecked += Number(cvv?.matched !== undefined);
  counts.cvvMatched += Number(cvv?.matched === true);
  counts.scored += Number(typeof risk_score === 'number');
  counts.scoreSum += risk_score ?? 0;
}

function isFraud({ is_fraud, chargeback_reason }: FraudRecord): boolean {
  return is_fraud ?? readChargebackReason(chargeback_reason ?? '').category === 'fraud';
}
