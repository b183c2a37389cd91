import { el } from './element.ts';

/** Where it is said what did not work. */
export const problem = el('p', { className: 'problem', role: 'alert', hidden: true });

/** Says that something did not work. */
export function fail(error: unknown): void {
  problem.textContent = error instanceof Error ? error.message : String(error);
  problem.hidden = false;
}

/** Takes back what was said, since something else is tried. */
export function forgive(): void {
  problem.hidden = true;
}
