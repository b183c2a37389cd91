import { unknownReference } from '../problem.ts';
import type { State } from '../state.ts';

/** The customer that a request names, or null. One that was deleted is still known. */
export function knownCustomer({ customers }: State, id: string | null | undefined): string | null {
  if (id === null || id === undefined) return null;
  if (customers.get(id) === undefined) throw unknownReference(customers.type, id, 'customer');
  return id;
}
