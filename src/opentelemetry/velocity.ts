import type { MeterProvider } from '@opentelemetry/api';
import type { Inline } from '../base/runtime/runtime.ts';
import { counterOf } from './instruments.ts';

/** The part of a verdict that is counted. */
type CountedVerdict = Inline<{
  /** The decision. */
  readonly decision: 'allow' | 'review' | 'block';
  /** The exceeded rules, blocking rules first. */
  readonly reasons: readonly {
    /** The rule's name. */
    readonly rule: string;
  }[];
}>;

/** Counts the verdict of a velocity check. */
export type CountVerdict = Inline<(verdict: CountedVerdict) => void>;

/** Returns a counter of verdicts. One with several reasons counts once, with the first. */
export function verdictCounter(meterProvider: MeterProvider): CountVerdict {
  const count = counterOf(meterProvider, 'payments.velocity.checks', {
    description: 'Number of velocity checks.',
    unit: '{check}',
  });
  return ({ decision, reasons: [reason] }) => {
    count(1, {
      'payments.velocity.decision': decision,
      ...(reason && { 'payments.velocity.rule': reason.rule }),
    });
  };
}
