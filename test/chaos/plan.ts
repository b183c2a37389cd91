/** What the merchant's processes are to do. Everything follows from the size, so that each process knows all of it. */

/** An order whose steps are repeated until each has its result: a customer, an intent, its payment, and a partial refund. */
export interface PatientOrder {
  readonly kind: 'patient';
  readonly id: string;
  /** What is paid, in cents. */
  readonly amount: number;
  /** What is given back, in cents. */
  readonly refund: number;
}

/** A single call that is made once and never repeated, so that what its error says can be held against the books. */
export interface SingleCall {
  readonly kind: 'single';
  readonly id: string;
  readonly what: 'customer' | 'intent';
  /** In cents. */
  readonly amount: number;
}

/** One thing to do. */
export type Task = PatientOrder | SingleCall;

/** How many operations a patient order has. */
const stepsOfOrder = 4;

/** How many processes the merchant has. */
export const workerCount = 4;

/** All tasks: of the operations four in five are steps of patient orders, the others single calls. */
export function tasksOf(operations: number): readonly Task[] {
  const singles = Math.round(operations / 5);
  const orders = Math.round((operations - singles) / stepsOfOrder);
  return [
    ...Array.from({ length: orders }, (_, index): Task => {
      const amount = 1000 + index;
      return { kind: 'patient', id: `order-${index}`, amount, refund: 1 + (index % amount) };
    }),
    ...Array.from({ length: singles }, (_, index): Task => {
      return {
        kind: 'single',
        id: `single-${index}`,
        what: index % 2 === 0 ? 'intent' : 'customer',
        amount: 500 + index,
      };
    }),
  ];
}

/**
 * The tasks of one process. One patient order in four is done by two processes at once, as when a caller is started again
 * while the one that was given up for dead still runs.
 */
export function tasksOfWorker(tasks: readonly Task[], worker: number): readonly Task[] {
  return tasks.filter(({ kind }, index) => {
    if (index % workerCount === worker) return true;
    const isTwin = kind === 'patient' && Math.floor(index / workerCount) % workerCount === 0;
    return isTwin && (index + 1) % workerCount === worker;
  });
}

/** What each sale takes. No two take the same, so that a sale is known by its amount. */
export function amountsOf(sales: number): readonly string[] {
  return Array.from({ length: sales }, (_, index) => (1 + index / 100).toFixed(2));
}
