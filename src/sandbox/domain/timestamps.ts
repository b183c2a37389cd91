import { isRecord } from '../../base/json.ts';
import { fieldNamesOf, resourceSchemas } from '../../resources/schemas.ts';
import type { Forms } from './forms.ts';

/** The timestamps whose names do not end in `_at`. */
const otherNames = new Set([
  'billing_cycle_anchor',
  'created',
  'current_period_end',
  'current_period_start',
  'data_as_of',
  'stale_after',
]);

/** Timestamps that the sandbox sets in objects whose fields the interface does not show. */
const ownNames = new Set(['created_at', 'updated_at']);

function isResourceName(name: unknown): name is keyof typeof resourceSchemas {
  return typeof name === 'string' && Object.hasOwn(resourceSchemas, name);
}

/** Whether a field of a kind is a timestamp. Fields that the merchant set are not: they are returned unchanged. */
function isTimestamp(kind: unknown, name: string): boolean {
  if (!isResourceName(kind)) return false;
  const known = fieldNamesOf(kind);
  if (known === undefined) return ownNames.has(name);
  return known.includes(name) && (name.endsWith('_at') || otherNames.has(name));
}

function inMilliseconds(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inMilliseconds);
  if (!isRecord(value)) return value;
  const { object: kind } = value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [
      name,
      typeof part === 'number' && isTimestamp(kind, name) ? part * 1000 : inMilliseconds(part),
    ]),
  );
}

/** Converts the timestamps in a value to the configured unit. The sandbox stores seconds. */
export function withTimestamps(value: unknown, { timestamps }: Pick<Forms, 'timestamps'>): unknown {
  return timestamps === 'seconds' ? value : inMilliseconds(value);
}
