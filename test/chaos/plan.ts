/** The tasks of the merchant's processes. Everything follows from the size, so that each process knows all of it. */

/** An order whose steps are retried until each has its result: a customer, an intent, its payment, and a partial refund. */
export interface PatientOrder {
  readonly kind: 'patient';
  readonly id: string;
  /** What is paid, in cents. */
  readonly amount: number;
  /** The refunded amount, in cents. */
  readonly refund: number;
}

/** A call that is made once and never retried, so that its error can be checked against the service. */
export interface SingleCall {
  readonly kind: 'single';
  readonly id: string;
  readonly what: 'customer' | 'intent';
  /** In cents. */
  readonly amount: number;
}

/** One task. */
export type Task = PatientOrder | SingleCall;

/** How many operations a patient order has. */
const stepsOfOrder = 4;

/** How many processes the merchant has. */
export const workerCount = 4;

/** Returns all tasks: four in five operations are steps of patient orders, the others single calls. */
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
 * Returns the tasks of one process. Two processes run one patient order in four concurrently, as when a caller is
 * restarted while the one presumed dead still runs.
 */
export function tasksOfWorker(tasks: readonly Task[], worker: number): readonly Task[] {
  return tasks.filter(({ kind }, index) => {
    if (index % workerCount === worker) return true;
    const isTwin = kind === 'patient' && Math.floor(index / workerCount) % workerCount === 0;
    return isTwin && (index + 1) % workerCount === worker;
  });
}

/** Returns the amount of each sale. All differ, so that a sale is identified by its amount. */
export function amountsOf(sales: number): readonly string[] {
  return Array.from({ length: sales }, (_, index) => (1 + index / 100).toFixed(2));
}
