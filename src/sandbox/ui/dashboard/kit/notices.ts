import { storeOf } from './shared-value.ts';

/** A message that stays until it is dismissed or replaced. */
export interface Notice {
  readonly text: string;
  readonly links?: readonly { readonly href: string; readonly text: string }[] | undefined;
}

/** What an action came to. */
export const notice = storeOf<Notice | undefined>(undefined);

/** What did not work. */
export const problem = storeOf<string | undefined>(undefined);

/** Shows what an action came to. */
export function notify(text: string, links?: Notice['links']): void {
  notice.set({ text, links });
}

/** Shows what did not work. */
export function fail(error: unknown): void {
  problem.set(error instanceof Error ? error.message : String(error));
}

/** Hides what did not work, since something else is tried. */
export function forgive(): void {
  if (problem.get() !== undefined) problem.set(undefined);
}
