/** Sees all that is shown while something runs: by hooks, loggers, consoles, warnings, and by what is handed to it. */

import type { Hooks, Logger } from 'payments-client';
import { onTestFinished, vi } from 'vitest';
import type { Allowance } from './allowed.ts';
import { findCanaries } from './search.ts';
import { showingsOf } from './showings.ts';

type Level = keyof Logger;
type Hook = keyof Hooks;

const levels: readonly Level[] = ['debug', 'info', 'warn', 'error'];
/** The names of all hooks, which are those of the channels too. */
export const hookNames: readonly Hook[] = ['start', 'request', 'response', 'retry', 'error', 'end'];
const consoleNames = ['log', 'debug', 'info', 'warn', 'error', 'trace'] as const;
const processEvents = ['warning', 'unhandledRejection'] as const;

/** All that is shown while something runs. */
export class Watch {
  readonly #seen: { readonly place: string; readonly value: unknown }[] = [];

  /** Notes something that is shown. */
  see(place: string, value: unknown): void {
    this.#seen.push({ place, value });
  }

  /** The options of a client that let it see everything. */
  get options(): { logger: Logger; hooks: Hooks } {
    const seer =
      (place: string) =>
      (...values: unknown[]) =>
        this.see(place, values);
    return {
      logger: Object.fromEntries(levels.map((level) => [level, seer(`log.${level}`)])),
      hooks: Object.fromEntries(hookNames.map((hook) => [hook, seer(`hook.${hook}`)])),
    };
  }

  /** Sees, until the test is over, what goes to the console and what the process is told. */
  processToo(): this {
    for (const name of consoleNames) {
      vi.spyOn(console, name).mockImplementation((...values) => this.see(`console.${name}`, values));
    }
    for (const event of processEvents) {
      const note = (value: unknown) => this.see(event, value);
      process.on(event, note);
      onTestFinished(() => void process.off(event, note));
    }
    return this;
  }

  /** The places where something was shown. */
  get places(): readonly string[] {
    return this.#seen.map(({ place }) => place);
  }

  /** What was shown in a place. */
  shown(place: string): readonly unknown[] {
    return this.#seen.filter((one) => one.place === place).map(({ value }) => value);
  }

  /** Where canaries are shown that must not be: of each canary in each place the first. */
  leaks(...allowed: readonly Allowance[]): string[] {
    const leaks = new Map<string, string>();
    const searched = new Set<string>();
    for (const { place, value } of this.#seen) {
      for (const { where, text } of showingsOf(place, value)) {
        if (searched.has(`${place} ${text}`)) continue;
        searched.add(`${place} ${text}`);
        for (const { canary, around } of findCanaries(text)) {
          const isAllowed = allowed.some((one) => one.canary(canary));
          const name = `${canary.name} in ${place}`;
          if (!isAllowed && !leaks.has(name)) leaks.set(name, `${canary.name} in ${where}: ${around}`);
        }
      }
    }
    return [...leaks.values()];
  }
}
