/** The chargeback reason codes of the interface (*shown*). */
export type ChargebackReasonCode = '10.1' | '10.2' | '10.3' | '10.4' | '10.5';

/**
 * The kind of dispute. All codes of the interface are `fraud`; the other kinds follow from the industry's meaning of
 * the number before the dot (*inferred*).
 */
type ChargebackCategory = 'fraud' | 'authorization' | 'processing_error' | 'consumer_dispute';

/** The meaning of a chargeback reason code. */
export type ChargebackReason = {
  /** The code as received. */
  readonly code: ChargebackReasonCode | (string & {});
  /** The meaning of the code in words. */
  readonly meaning: string;
  /** The kind of dispute; `undefined` if unknown. */
  readonly category: ChargebackCategory | undefined;
  /** The source of the meaning: the service's interface, the card industry, or none. */
  readonly source: 'shown' | 'inferred' | 'unknown';
};

/** The chargeback reason codes of the interface (*shown*). */
const chargebackReasons: Readonly<Record<ChargebackReasonCode, ChargebackReason>> = {
  10.1: {
    code: '10.1',
    meaning: 'EMV liability shift, counterfeit',
    category: 'fraud',
    source: 'shown',
  },
  10.2: {
    code: '10.2',
    meaning: 'EMV liability shift, non-counterfeit',
    category: 'fraud',
    source: 'shown',
  },
  10.3: { code: '10.3', meaning: 'other fraud, card present', category: 'fraud', source: 'shown' },
  10.4: { code: '10.4', meaning: 'other fraud, card absent', category: 'fraud', source: 'shown' },
  10.5: { code: '10.5', meaning: 'fraud monitoring program', category: 'fraud', source: 'shown' },
};

const shown: Readonly<Record<string, ChargebackReason>> = chargebackReasons;

const families: readonly (readonly [prefix: string, category: ChargebackCategory, meaning: string])[] = [
  ['10.', 'fraud', 'another kind of fraud'],
  ['11.', 'authorization', 'a missing or wrong authorization'],
  ['12.', 'processing_error', 'a processing error'],
  ['13.', 'consumer_dispute', 'a consumer dispute'],
];

/** Returns the meaning of a chargeback reason code. An unlisted code has the `source` `inferred` if it begins as a
 * listed one does (`10.` to `13.`), else `unknown`; no code throws. */
export function readChargebackReason(code: string): ChargebackReason {
  const listed = Object.hasOwn(shown, code) ? shown[code] : undefined;
  if (listed !== undefined) return listed;
  const family = families.find(([prefix]) => code.startsWith(prefix));
  if (family === undefined) return { code, meaning: 'not listed', category: undefined, source: 'unknown' };
  const [, category, meaning] = family;
  return { code, meaning, category, source: 'inferred' };
}
