import { isRecord, parseJson } from '../../../base/json.ts';
import type { RecordedRequest } from '../entry.ts';

/** Returns the object in a reply, in any configured shape; an empty object if there is none. */
export function replyObject({ reply }: RecordedRequest): Readonly<Record<string, unknown>> {
  const body = parseJson(reply?.body ?? '');
  if (!isRecord(body)) return {};
  if (typeof body['id'] === 'string') return body;
  const [only, ...others] = Object.values(body).filter(isRecord);
  return only !== undefined && others.length === 0 ? only : {};
}
