import type { HonoRequest } from 'hono';

/** The fields of a url-encoded or multipart body. Any other body has none. */
export async function readForm(request: HonoRequest): Promise<FormData> {
  try {
    return await request.formData();
  } catch {
    return new FormData();
  }
}
