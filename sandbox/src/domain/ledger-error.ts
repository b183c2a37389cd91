/** The sandbox's sums do not add up: a defect of the sandbox, never of its caller. */
export class LedgerError extends Error {
  constructor(message: string) {
    super(`The sandbox's ledger does not add up: ${message}`);
    this.name = 'LedgerError';
  }
}
