import type { Issue } from '../base/errors.ts';
import { rootPath } from '../base/issue.ts';
import { isRecord, parseJson } from '../base/json.ts';
import type { ReceivedResponse } from '../http/transport/transport.ts';

/** Fields that decide what a response means; two of one of them contradict each other. */
const decisiveFields = /* @__PURE__ */ new Set([
  'response',
  'responsetext',
  'transactionid',
  'avsresponse',
  'cvvresponse',
  'risk_score',
  'risk_decision',
]);

/** The fields of a response by name, or its issues. */
export type DecodedForm = { readonly fields: ReadonlyMap<string, string> } | { readonly issue: Issue };

type Pair = readonly [name: string, value: string];

/**
 * Decodes a response of the form endpoint. Its encoding is not shown: JSON, url-encoded, and url-encoded whose
 * values were never escaped are all read. Nothing throws.
 */
export function decodeForm(body: string): DecodedForm {
  // Trimming takes a byte order mark away too.
  const text = body.trim();
  // A page may hold a link with `response=1` in it, which says nothing of a transaction.
  if (text.startsWith('<')) return refuse(rootPath, 'a form or a JSON object', 'an HTML or XML page');
  const decoded = text.startsWith('{') ? decodeJson(text) : collect(splitPairs(text));
  if ('issue' in decoded) return decoded;
  const response = decoded.fields.get('response')?.trim() ?? '';
  if (plainToken.test(response)) return decoded;
  // Anything longer has swallowed other fields, and may hide an approval.
  if (response !== '') return refuse('response', 'one short word or number', 'something longer');
  return refuse('response', 'a field that says whether it was approved', 'none');
}

/** Whether the response is shorter than it announced. The missing part may contradict the part that came. */
export function endsEarly({ status, headers, bytes }: ReceivedResponse): boolean {
  if (status === 206) return true;
  const announced = headers.get('content-encoding') === null ? headers.get('content-length') : null;
  return announced !== null && bytes < Number(announced);
}

function refuse(path: string, expected: string, received: string): DecodedForm {
  return { issue: { path, expected, received } };
}

/** What a `response` looks like. */
const plainToken = /^[\w-]{1,20}$/;

/** The pairs as a map. Of an unknown field that comes twice the first is kept; a decisive one is refused. */
function collect(pairs: readonly Pair[]): DecodedForm {
  const fields = new Map<string, string>();
  for (const [name, value] of pairs) {
    if (!fields.has(name)) fields.set(name, value);
    else if (decisiveFields.has(name)) return refuse(name, 'one value', 'two');
  }
  return { fields };
}

/** Whether a double may differ from the number that was sent. */
function isRounded(value: unknown): boolean {
  return typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER;
}

/** Keeps the digits of a long number, such as an id; runtimes that do not pass them get an empty text. */
function keepDigits(_name: string, value: unknown, context?: { readonly source?: string }): unknown {
  return isRounded(value) ? (context?.source ?? '') : value;
}

function decodeJson(text: string): DecodedForm {
  // Deep nesting parses, but not with a reviver.
  const json = parseJson(text, keepDigits) ?? parseJson(text);
  if (!isRecord(json)) return refuse(rootPath, 'a form or a JSON object', 'broken JSON');
  const twice = nameThatComesTwice(text);
  if (twice !== undefined) return refuse(twice, 'one value', 'two');
  const { response } = json;
  if (response !== undefined && typeof response !== 'string' && typeof response !== 'number') {
    return refuse('response', 'text or a number', 'something else');
  }
  return { fields: new Map(Object.entries(json).map(([name, value]) => [name, scalarText(value)])) };
}

/**
 * A decisive name of the outermost object that comes twice. `JSON.parse` keeps the last of two equal names without a
 * word.
 */
function nameThatComesTwice(json: string): string | undefined {
  const seen = new Set<string>();
  let depth = 0;
  let start: number | undefined;
  // Strings are found by their quotes, since a pattern for a whole one would run out of stack on a long one.
  for (const { 0: token, index } of json.matchAll(/\\.|["{}[\]]/g)) {
    if (start === undefined) {
      if (token === '"') start = index;
      else depth += token === '{' || token === '[' ? 1 : -1;
    } else if (token === '"') {
      const name = String(parseJson(json.slice(start, index + 1)));
      start = undefined;
      if (depth !== 1 || !decisiveFields.has(name)) continue;
      if (!/^\s*:/.test(json.slice(index + 1))) continue;
      if (seen.has(name)) return name;
      seen.add(name);
    }
  }
  return undefined;
}

function scalarText(value: unknown): string {
  if (value === null || isRounded(value)) return '';
  if (typeof value !== 'object') return String(value);
  try {
    return JSON.stringify(value);
  } catch {
    // It is nested too deeply to be written, and no field that the SDK reads.
    return '';
  }
}

/** Field names as they occur; anything else before a `=` belongs to the value before it. */
const fieldName = /^[A-Za-z_][\w.\-[\]]*$/;

/** Whether an unescaped `&` may stand in a field's value: in words, and never in an id or a code. */
function mayHoldAmpersand(name: string): boolean {
  return name === 'responsetext' || !decisiveFields.has(name);
}

/**
 * Splits into pairs. Where values are not escaped, an `&` may be part of one: what follows it is then no
 * `name=value` and goes back to the value before.
 */
function splitPairs(text: string): Pair[] {
  const escaped = !hasUnescapedText(text);
  const pairs: [name: string, value: string][] = [];
  for (const part of text.split('&')) {
    const equals = part.indexOf('=');
    const name = decode(equals === -1 ? '' : part.slice(0, equals), escaped).trim();
    const last = pairs.at(-1);
    if (fieldName.test(name)) pairs.push([name, part.slice(equals + 1)]);
    else if (part !== '' && last !== undefined && mayHoldAmpersand(last[0])) last[1] += `&${part}`;
  }
  return pairs.map(([name, value]) => [name, decode(value, escaped)]);
}

/** Whether it has characters that url-encoding never leaves: then a `+` is a plus and a `%` is a percent sign. */
function hasUnescapedText(text: string): boolean {
  return /[^!-~]/.test(text);
}

function decode(text: string, escaped: boolean): string {
  if (!escaped) return text;
  const spaced = text.replaceAll('+', ' ');
  // Decodes each run of escapes on its own, so that a plain percent sign is kept.
  return spaced.replace(/(?:%[0-9a-f]{2})+/gi, (run) => {
    try {
      return decodeURIComponent(run);
    } catch {
      return run;
    }
  });
}
