import { issuesOf } from '../../base/validation.ts';
import { resourceSchemas } from '../../resources/schemas.ts';
import { transitions } from '../../resources/transitions.ts';
import { asAssumed, differs, type Gap, notSeen } from '../finding.ts';
import { allSeen, type Seen } from '../objects.ts';

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

const known: Readonly<Record<string, States>> = transitions;

/** Returns the states of objects that no type names. */
function newStates(kind: string, objects: readonly Seen[]): readonly string[] {
  const machine = known[kind];
  // A batch has a reconciliation state only once it is closed.
  if (machine === undefined || machine.field === 'deleted') return [];
  const names = [...machine.states, ...(inferredStates[kind] ?? [])];
  const values = objects.map((seen) => seen[machine.field]).filter((value) => typeof value === 'string');
  return [...new Set(values)]
    .filter((value) => !names.includes(value))
    .map((value) => `${kind}.${machine.field} '${value}'`);
}

/** Received statuses that no type names. */
export const statuses: Gap = {
  id: 'G2',
  title: 'values of statuses beyond those that occur',
  *read() {
    const seen = [...(yield* allSeen())];
    const unknown = seen.flatMap(([kind, objects]) => newStates(kind, objects));
    if (unknown.length > 0) return differs(unknown.join(', '));
    const hasStates = seen.some(([kind, objects]) => known[kind] !== undefined && objects.length > 0);
    return hasStates ? asAssumed() : notSeen();
  },
};

const schemas: Readonly<Record<string, (typeof resourceSchemas)[keyof typeof resourceSchemas]>> =
  resourceSchemas;

/** Returns the fields of a kind's objects that differ from their schema. */
function misfits(kind: string, objects: readonly Seen[]): readonly string[] {
  const schema = schemas[kind];
  if (schema === undefined) return [];
  const paths = objects.flatMap((seen) =>
    issuesOf(schema, seen).map(({ path }) => path.replace(/\[\d+\]/g, '[]')),
  );
  return [...new Set(paths)].map((path) => `${kind}.${path}`);
}

/** Fields that are absent, null or of a type other than the interface states. */
export const fields: Gap = {
  id: 'G57',
  title: 'fields that may be absent or null',
  *read() {
    const seen = [...(yield* allSeen())].filter(([, objects]) => objects.length > 0);
    const found = seen.flatMap(([kind, objects]) => misfits(kind, objects));
    if (found.length > 0) return differs(`${found.join(', ')}; set validation to 'warn'`);
    return seen.length > 0 ? asAssumed() : notSeen();
  },
};
