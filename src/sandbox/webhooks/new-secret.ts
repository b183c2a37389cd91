import type { State } from '../domain/state.ts';

/** A signing secret in the form of Standard Webhooks. It is no secret of anybody: the same in every run. */
export function newSecret({ ids }: State): string {
  return `whsec_${ids.text()}${ids.text()}`;
}
