import type { Entry } from './entry.ts';
import { redactObject } from './redact-body.ts';

type Fields = Readonly<Record<string, unknown>>;

function redactIfAny(object: Fields | null): Fields | null {
  return object === null ? null : redactObject(object);
}

/** An entry as it leaves the sandbox. Requests were redacted when they came in; objects of changes are the sandbox's own until here. */
export function shownEntry(entry: Entry): Entry {
  if (entry.kind === 'action') return { ...entry, details: redactObject(entry.details) };
  if (entry.kind !== 'change') return entry;
  return { ...entry, before: redactIfAny(entry.before), after: redactIfAny(entry.after) };
}
