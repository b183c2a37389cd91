import { redacted } from './redacted.ts';

/** The longest text that a log keeps of a request, in characters. */
const longest = 1_000;

function cut(text: string): string {
  return text.length > longest ? `${text.slice(0, longest - 1)}…` : text;
}

/** What a log keeps of a request's path: without secrets, and not too long. */
export function loggedPath(path: string): string {
  return cut(redacted(path));
}

/** What a log keeps of a request's idempotency key. */
export function loggedKey(key: string | undefined): string | undefined {
  return key === undefined ? undefined : cut(key);
}
