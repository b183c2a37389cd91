import { maxTimer } from './numbers.ts';
import type { Inline } from './runtime/runtime.ts';
import { checkOptions, optionsOf, timeFrom } from './schema/options.ts';
import { optional } from './schema/schema.ts';
import { bounded, Interrupted, second } from './time.ts';

/** How long to wait for the work under way. */
export type DrainOptions = Inline<{
  /** In ms. Default: 10,000. */
  readonly timeout?: number | undefined;
}>;

const schema = /* @__PURE__ */ optionsOf<DrainOptions>(() => ({ timeout: optional(timeFrom(0, maxTimer)) }));

/**
 * Returns how long to wait, in ms.
 *
 * @throws ConfigurationError for a wrong or unknown option.
 */
export function drainTime(name: string, options: DrainOptions): number {
  checkOptions(name, schema, options);
  return options.timeout ?? 10 * second;
}

/**
 * Removes an item of a list that lives long, and keeps no order. Not a `Set`: the tables that it has outgrown keep what was in them from the garbage
 * collector, so that much of each call would live until a full collection.
 */
export function remove<Item>(items: Item[], item: Item): void {
  const index = items.indexOf(item);
  const last = items.at(-1);
  if (index === -1 || last === undefined) return;
  items[index] = last;
  items.pop();
}

/** What is under way, until it is closed: then nothing more begins. */
export class Work<Item> {
  readonly #items: Item[] = [];
  #isClosed = false;
  #waiting: (() => void)[] = [];

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** How much is under way. */
  get size(): number {
    return this.#items.length;
  }

  /** Begins something. Returns false, and does not, once it is closed. */
  begin(item: Item): boolean {
    if (this.#isClosed) return false;
    this.#items.push(item);
    return true;
  }

  end(item: Item): void {
    remove(this.#items, item);
    if (this.#items.length > 0) return;
    for (const resolve of this.#waiting) resolve();
    this.#waiting = [];
  }

  /** Lets nothing more begin, and waits for what is under way. Returns what has not ended after `timeout` ms. */
  async close(timeout: number): Promise<readonly Item[]> {
    this.#isClosed = true;
    await this.done(timeout);
    return [...this.#items];
  }

  /** Waits until nothing is under way, or for `timeout` ms. */
  async done(timeout?: number): Promise<void> {
    if (this.#items.length === 0) return;
    const done = new Promise<void>((resolve) => this.#waiting.push(resolve));
    await bounded(done, undefined, timeout).catch((error: unknown) => {
      if (!(error instanceof Interrupted)) throw error;
    });
  }
}
