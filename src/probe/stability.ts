import { routes } from '../resources/routes.ts';
import { fingerprintOf, isSame } from './fingerprint.ts';
import { noCollection, noIdOf } from './impossible.ts';
import type { Question, Reading } from './question.ts';

const controls: readonly (Question & { readonly path: string })[] = [
  { kind: 'read', path: `/v1/${noCollection}` },
  {
    kind: 'locked',
    method: 'POST',
    path: routes['customers.restore'].path.replace('{id}', noIdOf('customer')),
    lock: 'key',
  },
];

/** Returns whether a service repeats its answers. Otherwise its answers prove nothing. */
export function* isStable(): Reading<boolean> {
  for (const control of controls) {
    const [before, after] = [yield control, yield { ...control, again: true }];
    if (before === undefined || after === undefined) continue;
    if (!isSame(fingerprintOf(before, control.path), fingerprintOf(after, control.path))) return false;
  }
  return true;
}
