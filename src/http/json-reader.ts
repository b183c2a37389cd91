import { parseJson } from '../base/json.ts';
import type { WireResponse } from './attempt.ts';
import type { Reading } from './reading.ts';

/** Whether a text begins as an object or a list does, so that it is JSON which broke off or was spoiled. */
function beginsAsJson(text: string): boolean {
  return /^[\s\ufeff]*[{[]/.test(text);
}

function refuse(received: string, text: string): Reading<never> {
  const issue = { path: '(root)', expected: 'a JSON body', received };
  // A login page or a proxy answers 200 as well, and has executed nothing.
  return { issues: [issue], body: text, outcome: beginsAsJson(text) ? undefined : 'unknown' };
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
