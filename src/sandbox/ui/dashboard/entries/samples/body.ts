import type { RecordedRequest } from '../../../../stories/entry.ts';

/** What stands in the place of a secret that was not recorded. */
export const redacted = '[redacted]';

/** Returns the fields of a request's body, of JSON or of a form; `undefined` where it has none that can be read. */
export function fieldsOf({ request: { headers, body } }: RecordedRequest): object | undefined {
  if (body === null || body === '') return undefined;
  if (headers['content-type']?.includes('urlencoded')) return Object.fromEntries(new URLSearchParams(body));
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
