import type { CodeSource } from './source.ts';

/** The AVS codes of the interface (*shown*). */
export type AvsCode = 'X' | 'Y' | 'A' | 'W' | 'Z' | 'N' | 'U' | 'R' | 'E' | 'S' | 'G';

/** AVS codes that the card industry uses and the interface does not list (*inferred*). */
export type InferredAvsCode =
  | 'B'
  | 'C'
  | 'D'
  | 'F'
  | 'I'
  | 'K'
  | 'L'
  | 'M'
  | 'O'
  | 'P'
  | 'T'
  | 'V'
  | '0'
  | '1'
  | '2'
  | '3'
  | '4'
  | '5'
  | '6'
  | '7'
  | '8';

/** What to do about an address check. */
export type AvsRecommendation = 'accept' | 'review' | 'decline_or_review' | 'retry';

/** The result of an address check (AVS). */
export interface AvsResult {
  /** The code, as the service sent it. */
  readonly code: AvsCode | InferredAvsCode | (string & {});
  /** What the code means, in words. */
  readonly meaning: string;
  /** Whether the street matches; `undefined` where it was not compared. */
  readonly street: boolean | undefined;
  /** Whether the ZIP code matches; `undefined` where it was not compared. */
  readonly zip: boolean | undefined;
  /** How many digits of the ZIP code match; `undefined` where it does not, or where that is not known. */
  readonly zipDigits: 5 | 9 | undefined;
  /** Whether the code is for an issuer or an address outside the service's home market (*inferred*, but for `G`). */
  readonly international: boolean;
  /** What the interface recommends; for a code that it does not list, the careful choice (*inferred*). */
  readonly recommendation: AvsRecommendation;
  /** Where the meaning comes from. */
  readonly source: CodeSource;
}
