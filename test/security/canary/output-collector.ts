/** Collects the output of hooks, loggers, consoles and process warnings, and of values that a test adds. */

import type { Hooks, Logger } from 'payments-client';
import { onTestFinished, vi } from 'vitest';
import type { Allowance } from './allowed.ts';
import { outputsOf } from './outputs.ts';
import { findCanaries } from './search.ts';

type Level = keyof Logger;
type Hook = keyof Hooks;

const levels: readonly Level[] = ['debug', 'info', 'warn', 'error'];
const hookNames: readonly Hook[] = ['start', 'request', 'response', 'retry', 'error', 'end'];
const consoleNames = ['log', 'debug', 'info', 'warn', 'error', 'trace'] as const;
const processEvents = ['warning', 'unhandledRejection'] as const;

/** Collects output. */
export class OutputCollector {
  readonly #seen: { readonly place: string; readonly value: unknown }[] = [];

  /** Adds one output. */
  add(place: string, value: unknown): void {
    this.#seen.push({ place, value });
  }

  /** The options that collect the logs and hook events of a client. */
  get options(): { logger: Logger; hooks: Hooks } {
    const collectFrom =
      (place: string) =>
      (...values: unknown[]) =>
        this.add(place, values);
    return {
      logger: Object.fromEntries(levels.map((level) => [level, collectFrom(`log.${level}`)])),
      hooks: Object.fromEntries(hookNames.map((hook) => [hook, collectFrom(`hook.${hook}`)])),
    };
  }

  /** Also collects the output to the console and the process events, until the test ends. */
  withProcess(): this {
    for (const name of consoleNames) {
      vi.spyOn(console, name).mockImplementation((...values) => this.add(`console.${name}`, values));
    }
    for (const event of processEvents) {
      const note = (value: unknown) => this.add(event, value);
      process.on(event, note);
      onTestFinished(() => void process.off(event, note));
    }
    return this;
  }

  /** The sources of the collected output. */
  get places(): readonly string[] {
    return this.#seen.map(({ place }) => place);
  }

  /** Returns the output of one source. */
  outputOf(place: string): readonly unknown[] {
    return this.#seen.filter((one) => one.place === place).map(({ value }) => value);
  }

  /** Lists leaked canaries: for each canary and source the first one. */
  leaks(...allowed: readonly Allowance[]): string[] {
    const leaks = new Map<string, string>();
    // Many sources output the same text.
    const found = new Map<string, ReturnType<typeof findCanaries>>();
    for (const { place, value } of this.#seen) {
      for (const { where, text } of outputsOf(place, value)) {
        const canaries = found.get(text) ?? findCanaries(text);
        found.set(text, canaries);
        for (const { canary, around } of canaries) {
          const isAllowed = allowed.some((one) => one.canary(canary));
          const name = `${canary.name} in ${place}`;
          if (!isAllowed && !leaks.has(name)) leaks.set(name, `${canary.name} in ${where}: ${around}`);
        }
      }
    }
    return [...leaks.values()];
  }
}
