import type { Context } from '../context.ts';
import type { OrderRecord } from '../record/record.ts';
import { isUnsure } from '../record/steps.ts';
import { drive } from '../steps/drive.ts';
import type { CardPayment } from '../types/order.ts';

/** Returns what became of a card payment, by its order. */
function cardResult({ canceled, settled, payments }: OrderRecord): CardPayment {
  if (canceled) return { state: 'canceled' };
  if (settled !== null) return { state: 'paid' };
  if (payments.some(({ status }) => status === 'authorized')) return { state: 'authorized' };
  if (payments.some(isUnsure)) return { state: 'in_progress' };
  return { state: payments.some(({ status }) => status === 'paid') ? 'part_paid' : 'in_progress' };
}

/** Does what follows from a card payment, and returns what became of it. */
export async function finish(context: Context, key: string): Promise<CardPayment> {
  return cardResult(await drive(context, key));
}
