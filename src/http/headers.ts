import { describeValue, lengthOf } from '../base/describe.ts';
import type { Issue } from '../base/errors.ts';
import { shownHeaders } from '../base/redact.ts';

const framed = 'no header: the runtime frames the request';

/** Headers that the SDK sets itself, and what to use instead. */
const reserved = /* @__PURE__ */ new Map([
  ['authorization', 'the secretKey option'],
  ['idempotency-key', 'operationId or idempotencyKey in the request options'],
  ['content-type', 'no header: the SDK encodes the body'],
  ['content-length', 'no header: the runtime counts the body'],
  ['host', 'the baseUrl option'],
  ['transfer-encoding', framed],
  ['trailer', framed],
  ['expect', framed],
  ['upgrade', framed],
]);

const namePattern = /^[\w!#$%&'*+.^`|~-]+$/;
/** Allowed characters of a value. `Headers` also accepts other control characters, and drops line breaks at the ends. */
const valuePattern = /^[\t -~\x80-\xff]*$/;

function headerIssue(path: string, name: string, value: unknown): Issue | undefined {
  const instead = reserved.get(name.toLowerCase());
  if (instead !== undefined)
    return { path, expected: instead, received: 'a header that the SDK sets itself' };
  if (typeof value !== 'string')
    return { path, expected: 'a string', received: describeValue(value, path, true) };
  if (namePattern.test(name) && valuePattern.test(value)) return undefined;
  const received = `a name or value that HTTP does not allow (${lengthOf(value)})`;
  return { path, expected: 'a header name and a value without line breaks', received };
}

/** Returns the issues of a user's headers. Never repeats their values. */
export function headerIssues(path: string, headers: unknown): readonly Issue[] {
  if (headers === undefined) return [];
  if (typeof headers !== 'object' || headers === null) {
    const received = describeValue(headers, path, true);
    return [{ path, expected: 'an object of header names to strings', received }];
  }
  return Object.entries(headers).flatMap(
    ([name, value]) => headerIssue(`${path}['${name}']`, name, value) ?? [],
  );
}

/** Returns header values that may be keys. The credential is redacted on its own, without its scheme. */
export function secretsIn(headers: Readonly<Record<string, string>>): string[] {
  return Object.entries(headers).flatMap(([name, value]) => {
    const lower = name.toLowerCase();
    return shownHeaders.has(lower) || lower === 'authorization' ? [] : [value];
  });
}
