/** Does what a record says is to be done. Any process may run it, at any time, any number of times. */

import type { Context } from '../context.ts';
import type { OrderRecord } from '../record/record.ts';
import { recordAt } from '../record/records.ts';
import { isCapturable, isClosable, isSendable, isUnmeasured } from '../record/steps.ts';
import { isPayable, isToShip } from '../record/sums.ts';
import { measure, sendCapture } from './capture.ts';
import { closeNeedless } from './close.ts';
import { isUnsearched, searchElsewhere } from './elsewhere.ts';
import { sendRefund } from './refund.ts';
import { settle, ship } from './settle.ts';

/** A step, and its name: each is tried once in a run. */
interface Step {
  readonly name: string;
  run(): Promise<unknown>;
}

/** Lists what a record says is to be done, in order: first what is known, then what was paid, then what goes back. */
function stepsOf(context: Context, key: string, record: OrderRecord): Step[] {
  const terms = context.terms();
  const isUnclear = record.payments.some(isUnmeasured);
  const captures = record.payments
    .filter((payment) => isCapturable(record, payment, terms))
    .map(({ op, capture }) => ({
      name: String(capture?.op),
      run: () => sendCapture(context, key, record.id, op),
    }));
  const refunds = record.parts
    .filter((part) => isSendable(record, part, terms))
    .map(({ op }) => ({
      name: op,
      run: () => sendRefund(context, key, op),
    }));
  const closings = record.payments
    .filter((payment) => isClosable(record, payment, terms))
    .map((payment) => ({
      name: `close ${payment.op}`,
      run: () => closeNeedless(context, key, record, payment),
    }));
  const named = (isDue: boolean, name: string, run: Step['run']) => (isDue ? [{ name, run }] : []);
  return [
    ...named(isUnsearched(record), 'search', () => searchElsewhere(context, key)),
    ...captures,
    ...named(isUnclear, 'measure', () => measure(context, key)),
    ...named(isPayable(record) && !isUnclear, 'settle', () => settle(context, key, record.id)),
    ...named(isToShip(record), 'ship', () => ship(context, key)),
    ...refunds,
    ...closings,
  ];
}

/**
 * Does what a record says is to be done, and returns it as it is then. If a step fails, the others are tried all the same.
 *
 * @throws What the first step that failed threw.
 */
export async function drive(context: Context, key: string): Promise<OrderRecord> {
  const tried = new Set<string>();
  const failures: unknown[] = [];
  for (;;) {
    const record = await recordAt(context, key);
    const step = stepsOf(context, key, record).find(({ name }) => !tried.has(name));
    if (step === undefined) {
      if (failures.length > 0) throw failures[0];
      return record;
    }
    tried.add(step.name);
    try {
      await step.run();
    } catch (error) {
      failures.push(error);
    }
  }
}
