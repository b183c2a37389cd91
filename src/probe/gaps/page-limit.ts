import { routes } from '../../resources/routes.ts';
import { asAssumed, differs, type Gap, notSeen } from '../finding.ts';
import { pageOf } from '../objects.ts';
import { type Reading, read } from '../question.ts';

/** More than any client requests. */
const most = 1000;

/** Returns whether the service accepts a limit; `undefined` if its answer is inconclusive. */
function* takes(limit: number): Reading<boolean | undefined> {
  const answer = yield* read(routes['products.list'].path, { limit: String(limit) });
  if (pageOf(answer) !== undefined) return true;
  return answer?.status === 400 || answer?.status === 422 ? false : undefined;
}

/** Returns the greatest accepted limit between an accepted and a refused one. */
function* greatest(taken: number, refused: number): Reading<number | undefined> {
  if (refused - taken === 1) return taken;
  const middle = Math.floor((taken + refused) / 2);
  const answer = yield* takes(middle);
  if (answer === undefined) return undefined;
  return yield* answer ? greatest(middle, refused) : greatest(taken, middle);
}

/** The greatest `limit` in the cursor form. */
export const pageLimit: Gap = {
  id: 'G67',
  title: 'greatest limit in the cursor form',
  *read() {
    if ((yield* takes(1)) !== true) return notSeen();
    const isTaken = yield* takes(most);
    if (isTaken === undefined) return notSeen();
    if (isTaken) return asAssumed(`${most} is accepted`);
    const limit = yield* greatest(1, most);
    return limit === undefined ? notSeen() : differs(`at most ${limit}`, { maxLimit: limit });
  },
};
