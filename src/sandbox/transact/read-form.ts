import type { HonoRequest } from 'hono';
import { readBody } from '../api/request/request-body.ts';

/**
 * The fields of a url-encoded or multipart body. Any other body has none.
 *
 * @throws Problem 413 when it is too long.
 */
export async function readForm({ raw }: HonoRequest): Promise<FormData> {
  const body = await readBody(raw);
  try {
    const headers = { 'content-type': raw.headers.get('content-type') ?? '' };
    return await new Response(body, { headers }).formData();
  } catch {
    return new FormData();
  }
}
