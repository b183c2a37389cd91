/** Finds the values of a JSON text or a form, and replaces some in place: all else of the text stays as it is, byte for byte. */

import { parseJson } from '../../base/json.ts';

/** An object or a list around a value. */
export interface Level {
  /** The name of its own field. */
  readonly name: string;
  readonly outer: Level | undefined;
}

/** A value of a text, or the name of a field. */
export interface TextValue {
  /** What it says; a number as it is written. */
  readonly text: string;
  /** `encoded` is a value of a form, or another text as a whole. */
  readonly kind: 'string' | 'number' | 'name' | 'encoded';
  /** The name of its field; empty for an item of a list, and for what is itself a name. */
  readonly name: string;
  readonly around: Level | undefined;
  readonly start: number;
  readonly end: number;
}

/** No object of the service is nested as deeply. */
const maxDepth = 100;

/** Returns the names around a value, the innermost first; `undefined` if there are more than the service ever has. */
export function namesAround({ around }: TextValue): readonly string[] | undefined {
  const names: string[] = [];
  for (let level = around; level !== undefined; level = level.outer) {
    if (names.push(level.name) > maxDepth) return undefined;
  }
  return names;
}

/** Strings are found by their quotes: a pattern for a whole one would run out of stack on a long one. */
function endOfString(json: string, start: number): number {
  const escapeOrQuote = /\\.|"/gs;
  escapeOrQuote.lastIndex = start + 1;
  while (escapeOrQuote.exec(json)?.[0].startsWith('\\'));
  return escapeOrQuote.lastIndex;
}

/** Finds the names, strings and numbers of a valid JSON text, also of a name that comes twice, which parsing would lose. */
function valuesOfJson(json: string): TextValue[] {
  const values: TextValue[] = [];
  let around: Level | undefined;
  let name = '';
  const sign = /["{}[\]]|-?\d[\d.eE+-]*/g;
  for (let found = sign.exec(json); found !== null; found = sign.exec(json)) {
    const { 0: token, index: start } = found;
    if (token === '{' || token === '[') {
      around = { name, outer: around };
      name = '';
    } else if (token === '}' || token === ']') {
      name = around?.name ?? '';
      around = around?.outer;
    } else if (token === '"') {
      const end = endOfString(json, start);
      sign.lastIndex = end;
      const text = String(parseJson(json.slice(start, end)));
      const colon = /\s*:/y;
      colon.lastIndex = end;
      const isName = colon.test(json);
      values.push({ text, kind: isName ? 'name' : 'string', name: isName ? '' : name, around, start, end });
      if (isName) name = text;
    } else {
      values.push({ text: token, kind: 'number', name, around, start, end: start + token.length });
    }
  }
  return values;
}

/** A part of a form. What has no name of a field is one value: another text may have a `=` too. */
const formField = /^[A-Za-z_][\w.\-[\]]*(?==)/;

function valuesOfForm(form: string): TextValue[] {
  const values: TextValue[] = [];
  let start = 0;
  for (const part of form.split('&')) {
    const [name = ''] = formField.exec(part) ?? [];
    const add = (from: number, to: number, field: string) => {
      const text = part.slice(from, to);
      const place = { name: field, around: undefined, start: start + from, end: start + to };
      values.push({ text, kind: 'encoded', ...place });
    };
    if (name !== '') add(0, name.length, '');
    add(name === '' ? 0 : name.length + 1, part.length, name);
    start += part.length + 1;
  }
  return values;
}

/** Returns the values and names of a text in their order: of JSON, or else of a form, which stay encoded. Any other text is one value. */
export function valuesOf(text: string): readonly TextValue[] {
  // A byte order mark may stand before JSON.
  const isJson = parseJson(text.replace(/^\ufeff/, '')) !== undefined;
  return isJson ? valuesOfJson(text) : valuesOfForm(text);
}

/** Returns a text with other values: one for each of its values, and `null` for none. */
export function withValues(
  text: string,
  values: readonly TextValue[],
  others: readonly (string | null)[],
): string {
  let written = '';
  let done = 0;
  for (const [index, value] of values.entries()) {
    const other = others[index];
    if (other === value.text || other === undefined) continue;
    written += text.slice(done, value.start);
    written += value.kind === 'encoded' ? (other ?? '') : JSON.stringify(other);
    done = value.end;
  }
  return written + text.slice(done);
}
