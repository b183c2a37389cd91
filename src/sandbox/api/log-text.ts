import { Redactor } from '../../base/redact.ts';

/** The maximum length of a logged text, in characters. */
const longest = 1_000;

const redactor = new Redactor();

/** Returns a path for the log, redacted and truncated. */
export function loggedPath(path: string): string {
  return redactor.text(path, longest);
}

/** Returns an idempotency key for the log, redacted and truncated. */
export function loggedKey(key: string | undefined): string | undefined {
  return key === undefined ? undefined : redactor.text(key, longest);
}
