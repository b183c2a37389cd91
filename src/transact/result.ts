import type { AvsResult } from '../fraud/codes/avs.ts';
import { readChecks } from '../fraud/codes/checks.ts';
import type { CvvResult } from '../fraud/codes/cvv.ts';
import type { RiskResult } from '../fraud/codes/risk.ts';

interface TransactionResultBase {
  /** The service's text about the transaction (*shown*). */
  readonly responsetext: string;
  /** The transaction's id (*shown*); empty if the service sent none, or sent `0`. */
  readonly transactionid: string;
  /** The address check; `undefined` if there was none (*shown*). */
  readonly avs: AvsResult | undefined;
  /** The security-code check; `undefined` if there was none (*shown*). */
  readonly cvv: CvvResult | undefined;
  /** The fraud scoring; `undefined` if there was none (*shown*). */
  readonly risk: RiskResult | undefined;
  /** Every field of the response, unchanged, including fields that the interface does not name. */
  readonly fields: Readonly<Record<string, string>>;
}

/** An approved transaction. */
export interface ApprovedTransaction extends TransactionResultBase {
  /** True: the transaction was approved. */
  readonly approved: true;
  /** False: it was processed. */
  readonly errored: false;
  /** `1` means approved (*shown*). */
  readonly response: '1';
}

/** A transaction that was not approved. That no money moved is *inferred*. */
export interface DeclinedTransaction extends TransactionResultBase {
  /** False: the transaction was not approved. */
  readonly approved: false;
  /**
   * True if the transaction was not declined but could not be processed, because of invalid data or a failure on the way
   * (*inferred*: `response` is `3`).
   */
  readonly errored: boolean;
  /** Any value except `1` (*shown*). At similar endpoints, `2` is a decline and `3` an error (*inferred*). */
  readonly response: '2' | '3' | (string & {});
}

/** The result of a transaction. `approved` distinguishes the two types. */
export type TransactionResult = ApprovedTransaction | DeclinedTransaction;

/** The result in the fields of a response. */
export function toResult(fields: ReadonlyMap<string, string>): TransactionResult {
  const field = (name: string) => fields.get(name)?.trim() ?? '';
  const response = field('response');
  const id = field('transactionid');
  const base = {
    responsetext: field('responsetext'),
    transactionid: id === '0' ? '' : id,
    ...readChecks({
      avsresponse: field('avsresponse'),
      cvvresponse: field('cvvresponse'),
      risk_score: field('risk_score'),
      risk_decision: field('risk_decision'),
    }),
    fields: Object.fromEntries(fields),
  };
  return response === '1'
    ? { ...base, approved: true, errored: false, response }
    : { ...base, approved: false, errored: response === '3', response };
}

/** What endpoints of this kind answer to a wrong key (*inferred*). */
const authenticationText =
  /^(?:authentication failed|invalid (?:username|login|password|credentials|security[ _]key|api[ _]key))\b/i;

/** Whether a result rejects the `security_key`, not the card: an error without a transaction, in the words of an authentication. */
export function isAuthenticationFailure({
  errored,
  transactionid,
  responsetext,
}: TransactionResult): boolean {
  return errored && transactionid === '' && authenticationText.test(responsetext);
}
