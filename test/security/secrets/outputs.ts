/** Collects all that comes out, and searches each text that a value can be shown as. */

import { inspect } from 'node:util';
import type { Hooks, Logger } from 'payments-client';
import { onTestFinished, vi } from 'vitest';
import type { Allowance } from './allowed.ts';
import { findCanaries } from './search.ts';

const levels = ['debug', 'info', 'warn', 'error'] as const satisfies (keyof Logger)[];
const hookNames = [
  'start',
  'request',
  'response',
  'retry',
  'error',
  'end',
] as const satisfies (keyof Hooks)[];
const consoleNames = ['log', 'debug', 'info', 'warn', 'error', 'trace'] as const;
const processEvents = ['warning', 'unhandledRejection'] as const;

/** No canary continues behind it. */
const separator = '\n~~~\n';

/** A text, and where it appeared. */
interface Shown {
  readonly where: string;
  readonly text: string;
}

const everything = {
  depth: Number.POSITIVE_INFINITY,
  maxStringLength: null,
  maxArrayLength: null,
  breakLength: Number.POSITIVE_INFINITY,
};

function attempt(show: () => unknown): string {
  try {
    return String(show() ?? '');
  } catch (error) {
    return String(error);
  }
}

/** Returns the parts of a value, including hidden fields and symbols. Getters are not called. */
function partsOf(where: string, value: unknown, seen: Set<object>): Shown[] {
  if (typeof value !== 'object' || value === null) return [{ where, text: attempt(() => String(value)) }];
  if (seen.has(value)) return [];
  seen.add(value);
  const below = Reflect.ownKeys(value).flatMap((name) => {
    const descriptor = Object.getOwnPropertyDescriptor(value, name);
    const place = `${where}.${String(name)}`;
    return [{ where: `the name ${place}`, text: String(name) }, ...partsOf(place, descriptor?.value, seen)];
  });
  return [...below, { where, text: attempt(() => String(value)) }];
}

/** Returns every text that a value can be shown as. Those that locate a canary most precisely come first. */
function textsOf(where: string, value: unknown): Shown[] {
  // Its other forms only add escapes, which the search removes.
  if (typeof value === 'string') return [{ where, text: value }];
  return [
    ...partsOf(where, value, new Set()),
    { where: `JSON of ${where}`, text: attempt(() => JSON.stringify(value)) },
    {
      where: `inspect of ${where}, with hidden fields`,
      text: attempt(() => inspect(value, { ...everything, showHidden: true })),
    },
    { where: `a clone of ${where}`, text: attempt(() => inspect(structuredClone(value), everything)) },
  ];
}

/** All that came out of a place. */
export class Outputs {
  readonly #seen: { readonly from: string; readonly value: unknown }[] = [];

  /** Adds one output. */
  add(from: string, value: unknown): void {
    this.#seen.push({ from, value });
  }

  /** The options of a client whose log lines and hook events come here. */
  get options(): { logger: Logger; hooks: Hooks } {
    const addFrom =
      (from: string) =>
      (...values: unknown[]) =>
        this.add(from, values);
    return {
      logger: Object.fromEntries(levels.map((level) => [level, addFrom(`log.${level}`)])),
      hooks: Object.fromEntries(hookNames.map((hook) => [hook, addFrom(`hook.${hook}`)])),
    };
  }

  /** Also collects what is written to the console, and the events of the process, until the test ends. */
  withProcess(): this {
    // The frames of a stack are places in files. They hold no secret, and are most of what is searched.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 1;
    onTestFinished(() => void (Error.stackTraceLimit = stackTraceLimit));
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

  /** Where the outputs came from. */
  get sources(): string[] {
    return [...new Set(this.#seen.map(({ from }) => from))];
  }

  /** Returns the outputs of one source. */
  of(source: string): unknown[] {
    return this.#seen.filter(({ from }) => from === source).map(({ value }) => value);
  }

  /** Lists the leaks: each secret once for each source. */
  leaks(...allowed: readonly Allowance[]): string[] {
    const shown = this.#seen.flatMap(({ from, value }) =>
      textsOf(from, value).map((text) => ({ from, ...text })),
    );
    const leaksIn = (text: string) =>
      findCanaries(text).filter(({ canary }) => !allowed.some((one) => one.canary(canary)));
    // Many sources output the same text, and one search of all texts costs less than one of each.
    const texts = new Set(shown.map(({ text }) => text));
    if (leaksIn([...texts].join(separator)).length === 0) return [];
    const leaks = new Map<string, string>();
    for (const { from, where, text } of shown) {
      for (const { canary, around } of leaksIn(text)) {
        const name = `${canary.name} in ${from}`;
        if (!leaks.has(name)) leaks.set(name, `${canary.name} in ${where}: ${around}`);
      }
    }
    return [...leaks.values()];
  }
}
