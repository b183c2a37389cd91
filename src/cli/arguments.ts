import { isWebAddress } from '../base/web-address.ts';
import { UsageProblem } from './problems.ts';

/** What the command line says. */
export class Arguments {
  readonly #command: string;
  readonly #operands: readonly string[];
  readonly #values: Readonly<Record<string, unknown>>;

  constructor(command: string, operands: readonly string[], values: Readonly<Record<string, unknown>>) {
    this.#command = command;
    this.#operands = operands;
    this.#values = values;
  }

  /** The operand at an index; empty where it was left out. */
  operand(index: number): string {
    return this.#operands[index] ?? '';
  }

  /** Whether an option was given that takes no value. */
  has(name: string): boolean {
    return this.#values[name] === true;
  }

  /** The value of an option; `undefined` where it was not given. */
  text(name: string): string | undefined {
    const value = this.#values[name];
    if (value === '') throw this.problem(`expected a value for --${name}, got an empty one.`);
    return typeof value === 'string' ? value : undefined;
  }

  /** All values of an option that may be given several times. */
  texts(name: string): readonly string[] {
    const value = this.#values[name];
    return Array.isArray(value) ? value.map(String) : [];
  }

  /** The integer that an option is given; `undefined` where it was not given. */
  integer(name: string, min: number, max = Number.MAX_SAFE_INTEGER): number | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    if (value >= min && value <= max) return value;
    const bounds = max === Number.MAX_SAFE_INTEGER ? `from ${min}` : `from ${min} to ${max}`;
    throw this.problem(`expected --${name} to be an integer ${bounds}, got '${text}'.`);
  }

  /** The address that an option is given; `undefined` where it was not given. */
  address(name: string): string | undefined {
    const text = this.text(name);
    return text === undefined ? undefined : this.#toAddress(name, text);
  }

  /** The addresses that an option is given. */
  addresses(name: string): readonly string[] {
    return this.texts(name).map((text) => this.#toAddress(name, text));
  }

  /** A mistake in this command line. */
  problem(message: string): UsageProblem {
    return new UsageProblem(message, this.#command);
  }

  #toAddress(name: string, text: string): string {
    if (isWebAddress(text)) return text;
    throw this.problem(`expected --${name} to be an http:// or https:// address, got '${text}'.`);
  }
}
