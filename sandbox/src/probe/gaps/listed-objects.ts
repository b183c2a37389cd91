/** What the objects in the lists show: units, prefixes, and values that no type names. */

import { issuesOf, resourceSchemas, idPrefixes as shownPrefixes, transitions } from '../../sdk.ts';
import { asAssumed, differs, differsIn, type Gap, isWord, notSeen, type Told } from '../finding.ts';
import { allSeen, type Seen } from '../objects.ts';

/** From 2000 to 2100, in seconds. */
const first = Date.UTC(2000, 0) / 1000;
const last = Date.UTC(2100, 0) / 1000;

function unitOf(value: number): 'seconds' | 'milliseconds' | undefined {
  if (value >= first && value < last) return 'seconds';
  return value >= first * 1000 && value < last * 1000 ? 'milliseconds' : undefined;
}

function timestampsOf(seen: Seen): readonly number[] {
  return ['created_at', 'updated_at', 'created']
    .map((name) => seen[name])
    .filter((value) => typeof value === 'number');
}

/** The unit of timestamps: the unit that fits every received timestamp. */
export const timestamps: Gap = {
  id: 'G56',
  title: 'unit of timestamps',
  *read() {
    const objects = [...(yield* allSeen()).values()].flat();
    const units = objects.flatMap(timestampsOf).map(unitOf);
    const [unit] = units;
    if (unit === undefined || units.some((other) => other !== unit)) return notSeen();
    return unit === 'seconds' ? asAssumed(unit, { timestamps: unit }) : differs(unit, { timestamps: unit });
  },
};

const shown: Readonly<Record<string, string>> = shownPrefixes;

/** Returns the prefix that all ids share; `undefined` if they share none. */
function prefixOf(objects: readonly Seen[]): string | undefined {
  const prefixes = new Set(objects.map(({ id }) => /^[a-z]{1,16}_(?=[A-Za-z\d])/.exec(id)?.[0]));
  return prefixes.size === 1 ? [...prefixes][0] : undefined;
}

/** The id prefixes that the interface does not show. */
export const idPrefixes: Gap = {
  id: 'G7',
  title: 'prefixes of ids that are not shown',
  *read() {
    const found: Record<string, string> = {};
    const others: string[] = [];
    for (const [kind, objects] of yield* allSeen()) {
      const prefix = prefixOf(objects);
      const documented = shown[kind];
      if (documented === undefined && prefix !== undefined) found[kind] = prefix;
      if (documented !== undefined && objects.some(({ id }) => !id.startsWith(documented))) others.push(kind);
    }
    if (others.length > 0)
      return differs(`ids of ${others.join(', ')} have another prefix than the interface shows`);
    const prefixes = Object.entries(found);
    if (prefixes.length === 0) return notSeen();
    return asAssumed(prefixes.map(([kind, prefix]) => `${kind} ${prefix}`).join(', '), { idPrefixes: found });
  },
};

/** States that the types name in addition to those of the interface. */
const inferredStates: Readonly<Record<string, readonly string[]>> = {
  payment_intent: ['requires_capture'],
  charge: ['failed'],
  subscription: ['active', 'past_due', 'ended'],
};

interface States {
  readonly field: string;
  readonly states: readonly string[];
}

const machines: Readonly<Record<string, States>> = transitions;

function toldOf(field: string, value: string): Told {
  return isWord(value)
    ? { text: `${field} '${value}'`, word: value }
    : { text: `${field} with a text that cannot be shown`, word: '' };
}

/** Returns the states of objects that no type names. */
function newStates(kind: string, objects: readonly Seen[]): readonly Told[] {
  const machine = machines[kind];
  // A batch has a reconciliation state only once it is closed.
  if (machine === undefined || machine.field === 'deleted') return [];
  const names = [...machine.states, ...(inferredStates[kind] ?? [])];
  const values = objects.map((seen) => seen[machine.field]).filter((value) => typeof value === 'string');
  return [...new Set(values)]
    .filter((value) => !names.includes(value))
    .map((value) => toldOf(`${kind}.${machine.field}`, value));
}

/** Received statuses that no type names. */
export const statuses: Gap = {
  id: 'G2',
  title: 'values of statuses beyond those that occur',
  *read() {
    const seen = [...(yield* allSeen())];
    const unknown = seen.flatMap(([kind, objects]) => newStates(kind, objects));
    if (unknown.length > 0) return differsIn(unknown);
    const hasStates = seen.some(([kind, objects]) => machines[kind] !== undefined && objects.length > 0);
    return hasStates ? asAssumed() : notSeen();
  },
};

const schemas: Readonly<Record<string, (typeof resourceSchemas)[keyof typeof resourceSchemas]>> =
  resourceSchemas;

/** Returns the fields of a kind's objects that differ from their schema. */
function misfits(kind: string, objects: readonly Seen[]): readonly Told[] {
  const schema = schemas[kind];
  if (schema === undefined) return [];
  const paths = objects.flatMap((seen) =>
    issuesOf(schema, seen).map(({ path }) => path.replace(/\[\d+\]/g, '[]')),
  );
  const shown = paths.map((path) => (isWord(path) ? path : '(a name that cannot be shown)'));
  // The service may have chosen the last part of a path: the name of a field of metadata.
  return [...new Set(shown)].map((path) => ({
    text: `${kind}.${path}`,
    word: path.slice(path.lastIndexOf('.') + 1),
  }));
}

/** Fields that are absent, null or of a type other than the interface states. */
export const fields: Gap = {
  id: 'G57',
  title: 'fields that may be absent or null',
  *read() {
    const seen = [...(yield* allSeen())].filter(([, objects]) => objects.length > 0);
    const found = seen.flatMap(([kind, objects]) => misfits(kind, objects));
    if (found.length > 0) return differsIn(found, "; set validation to 'warn'");
    return seen.length > 0 ? asAssumed() : notSeen();
  },
};
