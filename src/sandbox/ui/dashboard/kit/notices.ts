import { storeOf } from './shared-value.ts';

/** A message that stays until it is dismissed or replaced. */
export interface Notice {
  readonly text: string;
  readonly links?: readonly { readonly href: string; readonly text: string }[] | undefined;
}

/** The result of the last action. */
export const notice = storeOf<Notice | undefined>(undefined);

/** The error of the last action. */
export const problem = storeOf<string | undefined>(undefined);

/** Shows the result of an action. */
export function notify(text: string, links?: Notice['links']): void {
  notice.set({ text, links });
}

/** Shows the error of an action. */
export function fail(error: unknown): void {
  problem.set(error instanceof Error ? error.message : String(error));
}

/** Hides the error, since another action starts. */
export function clearProblem(): void {
  if (problem.get() !== undefined) problem.set(undefined);
}
