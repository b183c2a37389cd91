/** What must hold at any time: nothing ships that was not paid in full, and nothing ships twice. */

import { type ShopRow, totalOf } from './seat.ts';
import { ownerOf, type World } from './world.ts';

/**
 * How often an order may have shipped: once, or again for each time that its store or its process failed, or that a
 * process may have been slower than its lease.
 */
function mostShipments({ database, service, turns }: World): number {
  if (database.isTransactional) return 1;
  const of = (fault: string) => service.faults.get(fault) ?? 0;
  return 1 + turns.kills + of('storeFails') + of('storeAnswerLost') + of('wait');
}

function checkRow(world: World, row: ShopRow): void {
  const { shipped, shippedTotal, shippedCurrency } = row;
  if (shipped === 0) return;
  const owner = ownerOf(row);
  const fail = (why: string) => world.violate(`${owner} shipped ${shipped} times, ${why}`);
  const most = mostShipments(world);
  if (shipped > most && !world.restored.has(owner)) fail(`but at most ${most} are allowed`);
  if (world.canceled.has(owner) && !world.restored.has(owner)) fail('but it was canceled');
  const price = `${shippedTotal} ${shippedCurrency}`;
  if (price !== `${totalOf(row)} ${row.currency.toUpperCase()}`) fail(`for ${price}, which is not its price`);
  const paid = world.service.ledger
    .takenFor(owner)
    .filter(({ currency }) => currency === shippedCurrency)
    .reduce((sum, { amount }) => sum + amount, 0);
  if (paid < (shippedTotal ?? 0)) fail(`for ${price}, but only ${paid} were paid`);
}

/** Checks all rows. */
export async function checkStep(world: World): Promise<void> {
  for (const row of await world.database.rows()) checkRow(world, row);
}
