import type { Console } from './console.ts';

const cells = 30;

/** A progress bar, on a terminal only. */
export class Progress {
  readonly #console: Console;
  #shown = '';

  constructor(console: Console) {
    this.#console = console;
  }

  /** Shows the progress. */
  show(done: number, total: number): void {
    if (total === 0) return;
    const full = Math.round((done / total) * cells);
    const line = `${done} of ${total} ${'█'.repeat(full)}${'░'.repeat(cells - full)}`;
    if (line === this.#shown) return;
    this.#shown = line;
    this.#console.rewrite(line);
  }

  /** Removes the bar. */
  end(): void {
    if (this.#shown !== '') this.#console.rewrite('');
  }
}
