/** How money moves by itself. */
export interface MoneySettings {
  /** Whether pending refunds end by themselves. */
  readonly refunds: 'automatic' | 'manual';
  /** The days between attempts to collect an invoice. */
  readonly dunning: readonly number[];
  /** Whether what was taken and given back is settled at each midnight in UTC. */
  readonly settlement: 'daily' | 'manual';
}

/** How money moves unless one asks for something else. */
export const usualMoney: MoneySettings = {
  refunds: 'automatic',
  dunning: [1, 3, 5, 7],
  settlement: 'manual',
};
