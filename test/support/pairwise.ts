/** The possible values of each option. */
export type Values = Readonly<Record<string, readonly unknown[]>>;

/** One value of each option. */
export type Case<Options extends Values> = { readonly [Name in keyof Options]: Options[Name][number] };

interface Choice {
  readonly name: string;
  readonly index: number;
}

const text = ({ name, index }: Choice) => `${name}=${index}`;
const pairOf = (one: Choice, other: Choice) => [text(one), text(other)].sort().join(' ');

/** Returns cases in which each value of each option meets each value of every other option at least once. */
export function pairwise<Options extends Values>(options: Options): readonly Case<Options>[] {
  const names = Object.keys(options);
  const choices = names.map((name) => (options[name] ?? []).map((_, index) => ({ name, index })));
  const open = new Set<string>();
  for (const [at, some] of choices.entries()) {
    for (const others of choices.slice(at + 1)) {
      for (const one of some) for (const other of others) open.add(pairOf(one, other));
    }
  }
  const cases: Case<Options>[] = [];
  while (open.size > 0) cases.push(toCase(options, cover(choices, open)));
  return cases;
}

/** Picks a value for each option that covers the most open pairs with earlier picks. */
function cover(choices: readonly (readonly Choice[])[], open: Set<string>): readonly Choice[] {
  const chosen: Choice[] = [];
  for (const [at, some] of choices.entries()) {
    const later = choices.slice(at + 1).flat();
    const gain = (choice: Choice) =>
      1000 * chosen.filter((other) => open.has(pairOf(choice, other))).length +
      later.filter((other) => open.has(pairOf(choice, other))).length;
    const [best] = [...some].sort((one, other) => gain(other) - gain(one));
    if (best !== undefined) chosen.push(best);
  }
  for (const one of chosen) for (const other of chosen) open.delete(pairOf(one, other));
  return chosen;
}

function toCase<Options extends Values>(options: Options, chosen: readonly Choice[]): Case<Options> {
  const entries = chosen.map(({ name, index }) => [name, options[name]?.[index]]);
  // One value of each option, which the compiler cannot follow.
  return Object.fromEntries(entries) as Case<Options>;
}
