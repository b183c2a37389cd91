import type { WireResponse } from './attempt.ts';
import { parseJson } from './json.ts';
import type { Reading } from './reading.ts';

function refuse(received: string, body: unknown): Reading<never> {
  return { issues: [{ path: '(root)', expected: 'a JSON body', received }], body };
}

/** The JSON of a 2xx response, whatever content type it claims. */
export function readJson({ text, validUtf8 }: WireResponse): Reading<unknown> {
  if (text.trim() === '') return refuse('an empty body', text);
  if (!validUtf8) return refuse('bytes that are not UTF-8', text);
  const value = parseJson(text);
  if (value !== undefined) return { value };
  return refuse(
    /^\s*</.test(text) ? 'an HTML or XML page' : `${text.length} characters that are not JSON`,
    text,
  );
}
