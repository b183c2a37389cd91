import { checkOptions, type FieldsOf, integerFrom } from '../../base/schema/options.ts';
import * as s from '../../base/schema/schema.ts';
import { readChargebackReason } from '../chargeback-reasons.ts';
import { type AvsResult, readAvs } from '../codes/avs.ts';
import { readCvv } from '../codes/cvv.ts';
import { keysOf, mapTable } from '../codes/tables.ts';

/**
 * A row of your table of card payments. Its names are the columns of the table in `examples/fraud-figures.sql`, so rows need no
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
const recordSchema = /* @__PURE__ */ s.lazily(() =>
  s.object<FieldsOf<FraudRecord>>({
    approved: flag(),
    avsresponse: text(),
    cvvresponse: text(),
    risk_score: s.optional(s.nullable(integerFrom(0, 100))),
    authenticated: flag(),
    chargeback_reason: text(),
    is_fraud: flag(),
  }),
);

/** What a record adds to each count; true adds 1. */
const additions: Readonly<Record<keyof FraudCounts, (record: FraudRecord) => boolean | number>> = {
  transactions: ({ approved }) => approved === true,
  frauds: (record) => record.approved !== false && isFraud(record),
  chargebacks: ({ chargeback_reason: reason }) => typeof reason === 'string',
  authentications: ({ authenticated }) => typeof authenticated === 'boolean',
  authenticated: ({ authenticated }) => authenticated === true,
  avsChecked: ({ avsresponse }) => readAvs(avsresponse ?? '')?.street !== undefined,
  avsMatched: ({ avsresponse }) => isFullMatch(readAvs(avsresponse ?? '')),
  cvvChecked: ({ cvvresponse }) => readCvv(cvvresponse ?? '')?.matched !== undefined,
  cvvMatched: ({ cvvresponse }) => readCvv(cvvresponse ?? '')?.matched === true,
  scored: ({ risk_score }) => typeof risk_score === 'number',
  scoreSum: ({ risk_score }) => risk_score ?? 0,
};

function isFraud({ is_fraud, chargeback_reason }: FraudRecord): boolean {
  return is_fraud ?? readChargebackReason(chargeback_reason ?? '').category === 'fraud';
}

function isFullMatch(avs: AvsResult | undefined): boolean {
  return avs?.street === true && avs.zip === true;
}

const countNames = /* @__PURE__ */ keysOf(additions);

/** The schema of counts that a query returns. */
export const countsSchema = /* @__PURE__ */ s.lazily(() =>
  s.object(mapTable(additions, () => integerFrom(0))),
);

const advice = 'Map the columns of your table to these types.';

/**
 * Counts records, as the SQL in `examples/fraud-figures.sql` does in the database.
 *
 * @throws ConfigurationError for a field of the wrong kind, such as `approved: 1`, or a risk score out of bounds.
 */
export function countFraud(records: Iterable<FraudRecord>): FraudCounts {
  const counts = mapTable(additions, () => 0);
  let index = 0;
  for (const record of records) {
    checkOptions(`records[${index}]`, recordSchema, record, advice);
    for (const name of countNames) counts[name] += Number(additions[name](record));
    index += 1;
  }
  return counts;
}
