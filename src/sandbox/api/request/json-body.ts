import { Problem } from '../../domain/problem.ts';

const jsonType = /^application\/(?:[\w.-]+\+)?json\b/i;

/**
 * Parses a JSON body. An empty body is an empty object, since some requests have no parameters.
 *
 * @throws Problem when it is not JSON, or has another content type.
 */
export function parseJsonBody(text: string, contentType: string | undefined): unknown {
  if (text === '') return {};
  if (!jsonType.test(contentType ?? '')) {
    throw new Problem(415, 'UNSUPPORTED_MEDIA_TYPE', "Expected 'Content-Type: application/json'.");
  }
  try {
    return JSON.parse(text);
  } catch {
    throw new Problem(400, 'INVALID_JSON', 'The body is not JSON.');
  }
}
