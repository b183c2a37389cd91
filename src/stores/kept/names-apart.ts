/** Keeps masked names of an object apart: of two equal names, a reader of JSON gets one value alone. */

import type { Level, TextValue } from './text-values.ts';

/** The names of one object. */
class Names {
  readonly #taken = new Set<string>();
  /** The new name of each one. */
  readonly #given = new Map<string, string>();
  /** The last number behind each masked name: counting from 1 each time would take quadratic time. */
  readonly #numbers = new Map<string, number>();

  /** Returns a name, with a number behind it if another one has it already. A letter keeps the number apart from digits before it. */
  give(before: string, masked: string): string {
    const known = this.#given.get(before);
    if (known !== undefined) return known;
    let name = masked;
    let number = this.#numbers.get(masked) ?? 1;
    while (this.#taken.has(name)) {
      number += 1;
      name = `${masked}-no${number}`;
    }
    this.#numbers.set(masked, number);
    this.#taken.add(name);
    this.#given.set(before, name);
    return name;
  }
}

/** Returns the masked texts of values, with each masked name unlike the other names of its object. */
export function withNamesApart(values: readonly TextValue[], masked: readonly string[]): readonly string[] {
  const isMasked = ({ kind, text }: TextValue, index: number) => kind === 'name' && text !== masked[index];
  const objects = new Map<Level | undefined, Names>();
  const given = [...masked];
  const give = (value: TextValue, index: number) => {
    const names = objects.get(value.around) ?? new Names();
    objects.set(value.around, names);
    given[index] = names.give(value.text, given[index] ?? value.text);
  };
  // The names that stay come first, so that no masked one takes theirs.
  for (const [index, value] of values.entries())
    if (value.kind === 'name' && !isMasked(value, index)) give(value, index);
  for (const [index, value] of values.entries()) if (isMasked(value, index)) give(value, index);
  return given;
}
