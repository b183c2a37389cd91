import type { Inline } from '../base/runtime/runtime.ts';
import { lookUp } from './codes/tables.ts';

/** The chargeback reason codes of the interface (*shown*). */
export type ChargebackReasonCode = Inline<'10.1' | '10.2' | '10.3' | '10.4' | '10.5'>;

/**
 * The kind of dispute, from the industry's meaning of the number before the dot (*inferred*): the codes of the interface are
 * `fraud`.
 */
type ChargebackCategory = 'fraud' | 'authorization' | 'processing_error' | 'consumer_dispute';

/** The meaning of a chargeback reason code. */
export type ChargebackReason = Inline<{
  /** The code as received. */
  readonly code: ChargebackReasonCode | (string & {});
  /** The meaning of the code in words. */
  readonly meaning: string;
  /** The kind of dispute; `undefined` if unknown. */
  readonly category: ChargebackCategory | undefined;
  /** The source of the meaning: the service's interface, the card industry, or none. */
  readonly source: 'shown' | 'inferred' | 'unknown';
}>;

/** The meanings that the interface shows. */
const shown: Readonly<Record<ChargebackReasonCode, string>> = {
  10.1: 'EMV liability shift, counterfeit',
  10.2: 'EMV liability shift, non-counterfeit',
  10.3: 'other fraud, card present',
  10.4: 'other fraud, card absent',
  10.5: 'fraud monitoring program',
};

const families: readonly (readonly [prefix: string, category: ChargebackCategory, meaning: string])[] = [
  ['10.', 'fraud', 'another kind of fraud'],
  ['11.', 'authorization', 'a missing or wrong authorization'],
  ['12.', 'processing_error', 'a processing error'],
  ['13.', 'consumer_dispute', 'a consumer dispute'],
];

/** Returns the meaning of a chargeback reason code. An unlisted code has the `source` `inferred` if it begins as a
 * listed one does (`10.` to `13.`), else `unknown`; no code throws. */
export function readChargebackReason(code: string): ChargebackReason {
  const listed = lookUp(shown, code);
  const [, category, meaning] = families.find(([prefix]) => code.startsWith(prefix)) ?? [];
  if (meaning === undefined) return { code, meaning: 'not listed', category, source: 'unknown' };
  return { code, meaning: listed ?? meaning, category, source: listed === undefined ? 'inferred' : 'shown' };
}
