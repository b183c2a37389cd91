/** How money moves when time passes. */
export interface MoneySettings {
  /** Whether pending refunds complete by themselves. */
  readonly refunds: 'automatic' | 'manual';
  /** The days between attempts to collect an invoice. */
  readonly dunning: readonly number[];
  /** Whether charges and refunds are settled at each midnight in UTC. */
  readonly settlement: 'daily' | 'manual';
}

/** The defaults. */
export const usualMoney: MoneySettings = {
  refunds: 'automatic',
  dunning: [1, 3, 5, 7],
  settlement: 'manual',
};
