import { nearest } from '../base/nearest.ts';
import { describeValue, problem, refuseRange, refuseType } from './refuse.ts';

/** Whether a value is an object with fields, and no array. */
export function isFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function meant(name: string, names: readonly string[]): string {
  const found = nearest(name, names);
  return found === undefined ? '' : ` (did you mean '${found}'?)`;
}

/**
 * Options as they came, to be read one by one. A name that is not known is refused, since a misspelt option would
 * otherwise leave a check as it was without a word.
 */
export class Options {
  readonly #path: string;
  readonly #fields: Readonly<Record<string, unknown>>;

  constructor(path: string, value: unknown, names: readonly string[]) {
    if (value !== undefined && !isFields(value)) refuseType(path, 'an object', value);
    this.#path = path;
    this.#fields = value ?? {};
    const stranger = Object.keys(this.#fields).find((name) => !names.includes(name));
    if (stranger !== undefined) {
      throw new TypeError(
        problem(
          path,
          names.join(', '),
          `an option named ${describeValue(stranger)}${meant(stranger, names)}`,
        ),
      );
    }
  }

  path(name: string): string {
    return `${this.#path}.${name}`;
  }

  get(name: string): unknown {
    return this.#fields[name];
  }

  flag(name: string, fallback: boolean): boolean {
    const value = this.get(name) ?? fallback;
    return typeof value === 'boolean' ? value : refuseType(this.path(name), 'true or false', value);
  }

  choice<T extends string>(name: string, allowed: readonly T[], fallback?: T): T {
    const value = this.get(name) ?? fallback;
    const choice = allowed.find((candidate) => candidate === value);
    const expected = allowed.map((candidate) => `'${candidate}'`).join(' or ');
    return choice ?? refuseType(this.path(name), expected, value);
  }

  number(name: string, min: number, max: number, fallback?: number, kind = 'a number'): number {
    const value = this.get(name) ?? fallback;
    const expected = `${kind} from ${min} to ${max}`;
    if (typeof value !== 'number') return refuseType(this.path(name), expected, value);
    return value >= min && value <= max ? value : refuseRange(this.path(name), expected, value);
  }

  integer(name: string, min: number, max: number, fallback?: number): number {
    const value = this.number(name, min, max, fallback, 'an integer');
    if (Number.isInteger(value)) return value;
    return refuseRange(this.path(name), `an integer from ${min} to ${max}`, value);
  }

  /** A function that gives the time in milliseconds since 1970; `Date.now` where there is none. */
  clock(name: string): () => number {
    const value = this.get(name);
    if (value === undefined) return () => Date.now();
    if (typeof value !== 'function') return refuseType(this.path(name), 'a function', value);
    return () => {
      const time: unknown = value();
      if (typeof time === 'number' && Number.isFinite(time)) return time;
      return refuseType(`${this.path(name)}()`, 'milliseconds since 1970', time);
    };
  }
}
