import type { RecordedRequest } from '../../../../stories/entry.ts';

/** The placeholder of a redacted secret. */
export const redacted = '[redacted]';

/** Returns the fields of a JSON or form body; `undefined` if it cannot be parsed. */
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
