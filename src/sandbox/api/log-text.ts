import { Redactor } from '../../base/redact.ts';

/** The longest text that a log keeps of a request, in characters. */
const longest = 1_000;

const redactor = new Redactor();

/** What a log keeps of a request's path: without secrets, and not too long. */
export function loggedPath(path: string): string {
  return redactor.text(path, longest - 1);
}

/** What a log keeps of a request's idempotency key: without secrets, and not too long. */
export function loggedKey(key: string | undefined): string | undefined {
  if (key === undefined) return undefined;
  const clean = redactor.text(key, key.length);
  return clean.length <= longest ? clean : `${clean.slice(0, longest - 1)}…`;
}
