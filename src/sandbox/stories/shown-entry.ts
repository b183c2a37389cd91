import type { Entry } from './entry.ts';
import { redactObject } from './redact-body.ts';

type Fields = Readonly<Record<string, unknown>>;

function redactIfAny(object: Fields | null): Fields | null {
  return object === null ? null : redactObject(object);
}

/** Prepares an entry for output. Requests were redacted on arrival; objects of changes are redacted here. */
export function shownEntry(entry: Entry): Entry {
  if (entry.kind === 'action') return { ...entry, details: redactObject(entry.details) };
  if (entry.kind !== 'change') return entry;
  return { ...entry, before: redactIfAny(entry.before), after: redactIfAny(entry.after) };
}
