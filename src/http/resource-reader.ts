import { rootPath } from '../base/describe.ts';
import type { Issue } from '../base/errors.ts';
import { isRecord } from '../base/json.ts';
import type { Check, Checked } from '../base/validation.ts';
import type { WireResponse } from './attempt.ts';
import type { CallIdentity } from './call-identity.ts';
import type { Connection } from './config.ts';
import { readPage, unwrapObject } from './envelope.ts';
import { readJson } from './json-reader.ts';
import type { PageBody } from './page.ts';
import type { Reading } from './reading.ts';

/** What a response holds, and how to tell. */
export interface Expected<T> {
  /** The value of the field `object`, for example `refund`: the object may stand under this name. */
  readonly object: string;
  readonly check: Check<T>;
}

/** What a page holds: the collection's names are fields in which its items may be. */
export interface ExpectedPage<T> extends Expected<T> {
  readonly plurals: readonly string[];
}

const testKeyPrefix = 'sk_v1_test_';

/** Reads the resources in responses, and holds them against what they should be. */
export class ResourceReader {
  readonly #connection: Connection;
  readonly #itemsField: string | undefined;

  constructor(connection: Connection, itemsField: string | undefined) {
    this.#connection = connection;
    this.#itemsField = itemsField;
  }

  /** The one object of a response. */
  readObject<T>(call: CallIdentity, holds: Expected<T>, response: WireResponse, key: string): Reading<T> {
    const json = readJson(response);
    if (!('value' in json)) return json;
    const checked = this.#conform(call, holds.check, unwrapObject(json.value, [holds.object]), key);
    return 'issues' in checked ? { ...checked, body: json.value } : checked;
  }

  /** A page of objects. */
  readPage<T>(
    call: CallIdentity,
    holds: ExpectedPage<T>,
    response: WireResponse,
    key: string,
  ): Reading<PageBody<T>> {
    const json = readJson(response);
    if (!('value' in json)) return json;
    const page = readPage(json.value, holds.plurals, this.#itemsField);
    if ('path' in page) return { issues: [page], body: json.value };
    const items: T[] = [];
    for (const [index, item] of page.items.entries()) {
      const checked = this.#conform(call, holds.check, item, key);
      if (!('value' in checked)) {
        return { issues: issuesUnder(`${page.field}[${index}]`, checked.issues), body: json.value };
      }
      items.push(checked.value);
    }
    return { value: { items, hasMore: page.hasMore, nextCursor: page.nextCursor } };
  }

  /** The value, once it conforms or the user said that it need not. */
  #conform<T>(call: CallIdentity, check: Check<T>, value: unknown, key: string): Checked<T> {
    const { validation, observer, redactor } = this.#connection;
    if (validation === 'off') return trust(value);
    this.#warnOfTestObject(call, value, key);
    const liveIssues = liveObjectIssues(value, key);
    const checked = check(value);
    if ('value' in checked && liveIssues.length === 0) return checked;
    const issues = [...liveIssues, ...('value' in checked ? [] : checked.issues)];
    if (validation === 'throw') return { issues };
    const { operation, callId } = call;
    const message = `${operation}: the response does not match the schema; going on with it as it is`;
    observer.warn(message, { callId, operation, issues: redactor.foreignIssues(issues) });
    return trust(value);
  }

  /** The form of live keys is not shown, so a test object under another key is told, not refused. */
  #warnOfTestObject(call: CallIdentity, value: unknown, key: string): void {
    if (key.startsWith(testKeyPrefix) || !isRecord(value) || value['livemode'] !== false) return;
    const { operation, callId } = call;
    const message = `${operation}: a test object (livemode false) came for a key that is no test key`;
    this.#connection.observer.warn(message, { callId, operation });
  }
}

/** The value unchecked: by turning validation off or down, the user vouches for its type. */
function trust<T>(value: unknown): Checked<T> {
  return { value: value as T };
}

/** A live object under a test key means that the program talks to something else than it believes. */
function liveObjectIssues(value: unknown, key: string): readonly Issue[] {
  if (!key.startsWith(testKeyPrefix) || !isRecord(value) || value['livemode'] !== true) return [];
  return [{ path: 'livemode', expected: 'false, since the key is a test key', received: 'true' }];
}

/** The issues of a value that stands inside another one. */
function issuesUnder(parent: string, issues: readonly Issue[]): readonly Issue[] {
  return issues.map((issue) => ({
    ...issue,
    path: issue.path === rootPath ? parent : `${parent}.${issue.path}`,
  }));
}
