import type { State } from './state.ts';
import type { Change } from './unit.ts';

/** The sandbox's own books do not add up. It is a defect of the sandbox, never of the one who called it. */
export class LedgerError extends Error {
  /** What does not add up, and by how much. */
  constructor(message: string) {
    super(`The sandbox's ledger does not add up: ${message}`);
    this.name = 'LedgerError';
  }
}

function expect(holds: boolean, message: () => string): void {
  if (!holds) throw new LedgerError(message());
}

/**
 * Checks what each unit of work has touched.
 *
 * @throws LedgerError when more is refunded than was captured.
 */
export function checkLedger(_state: State, changes: readonly Change[]): void {
  for (const { kind, after } of changes) {
    if (kind !== 'charge' || after === undefined) continue;
    const { id, amount, amount_refunded: refunded } = after;
    expect(
      refunded >= 0 && refunded <= amount,
      () => `of the charge '${id}' over ${amount}, ${refunded} is refunded.`,
    );
  }
}
