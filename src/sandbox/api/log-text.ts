import { Redactor } from '../../base/redact.ts';

/** The maximum length of a logged text, in characters. */
const longest = 1_000;

const redactor = new Redactor();

/** Returns a path for the log, redacted and truncated. */
export function loggedPath(path: string): string {
  return redactor.text(path, longest - 1);
}

/** Returns an idempotency key for the log, redacted and truncated. */
export function loggedKey(key: string | undefined): string | undefined {
  if (key === undefined) return undefined;
  const clean = redactor.text(key, key.length);
  return clean.length <= longest ? clean : `${clean.slice(0, longest - 1)}…`;
}
