import type { HonoRequest } from 'hono';
import { readBody } from '../api/request/request-body.ts';
import type { Forms } from '../domain/forms.ts';

const types = { urlencoded: 'application/x-www-form-urlencoded', multipart: 'multipart/form-data' } as const;

/**
 * Reads the fields of a url-encoded or multipart body. Any other body has none.
 *
 * @param encoding The only accepted encoding. Default: both.
 * @throws Problem 413 when it is too long.
 */
export async function readForm({ raw }: HonoRequest, encoding?: Forms['formEncoding']): Promise<FormData> {
  const body = await readBody(raw);
  const type = raw.headers.get('content-type') ?? '';
  if (encoding !== undefined && !type.toLowerCase().startsWith(types[encoding])) return new FormData();
  try {
    return await new Response(body, { headers: { 'content-type': type } }).formData();
  } catch {
    return new FormData();
  }
}
