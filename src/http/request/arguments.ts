/** Checks what the caller of a method passed. */

import { invalidRequest } from '../../base/errors.ts';
import { describeValue, type Issue, issueWithin, rootPath } from '../../base/issue.ts';
import { isRecord, type Snapshot, snapshot } from '../../base/json.ts';
import { fieldNames, nameReader, type UnknownField, unknownFields } from '../../base/schema/field-names.ts';
import { conforms, type IssueOptions, issuesOf, type Schema } from '../../base/schema/validation.ts';
import type { Call, Encoding, JsonBody } from '../call.ts';
import { headerIssues } from '../client/connection.ts';
import type { CallOptions } from '../client/options.ts';
import { fillPath } from './route.ts';

/** Copies the options of a call when it begins: the caller may change them while it waits. */
export function copyOptions(options: unknown): Snapshot {
  return snapshot(options, { uncopied: ['signal'] });
}

/**
 * Returns the checked options of a call.
 *
 * @throws InvalidRequestError that names each wrong option.
 */
export function acceptOptions<Options extends CallOptions>(
  call: Call,
  copied: Snapshot,
  schema: Schema<Options>,
): Options {
  const given = accept(call, copied, (issue) => issueWithin('options', issue));
  const options = given === undefined ? {} : given;
  if (!isRecord(options)) {
    const received = describeValue(options, 'options', true);
    throw invalidRequest(call.operation, [{ path: 'options', expected: 'an object', received }]);
  }
  const { headers } = options;
  const ofHeaders = headers === undefined ? [] : headerIssues('options.headers', headers);
  if (ofHeaders.length === 0 && conforms(schema, options)) return options;
  const issues = issuesOf(schema, options).map((issue) => issueWithin('options', issue));
  throw invalidRequest(call.operation, [...issues, ...ofHeaders]);
}

/** Copies the parameters of a method when it is called, with the names of its schema. */
export function copyParams(params: unknown, schema: Schema<unknown>): Snapshot {
  return snapshot(params, { reader: () => nameReader(schema), sorted: true });
}

/**
 * Returns what was copied.
 *
 * @param locate Completes the path of an issue.
 * @throws InvalidRequestError when it could not be copied as it is.
 */
export function accept(
  { connection, operation }: Call,
  copied: Snapshot,
  locate: (issue: Issue) => Issue,
): unknown {
  if ('value' in copied) return copied.value;
  throw invalidRequest(operation, connection.redactor.issues([locate(copied.issue)]));
}

/**
 * Returns the copied parameters, which are not checked yet.
 *
 * @param sensitive Whether no value is repeated, whatever its field is called. Default: by the field's name.
 * @throws InvalidRequestError when they are not an object, or hold a value that would not be sent as it is.
 */
export function acceptParams(call: Call, copied: Snapshot, sensitive?: boolean): Record<string, unknown> {
  const params = accept(call, copied, withinParams);
  if (isRecord(params)) return params;
  const received = describeValue(params, 'params', sensitive);
  throw invalidRequest(call.operation, [{ path: 'params', expected: 'an object', received }]);
}

/** The parameters as a whole have the name of the argument. */
export function withinParams(issue: Issue): Issue {
  return issue.path === rootPath ? { ...issue, path: 'params' } : issue;
}

interface ParamsCheck extends IssueOptions {
  /** Whether fields of any name may be there. Default: those of the schema, and of `extraParameters`. */
  readonly takesAny?: boolean | undefined;
  /** Whether a wrong field is refused whatever `validation` says. Default: none is. */
  readonly isEssential?: ((field: string) => boolean) | undefined;
}

/** @throws InvalidRequestError when the parameters do not match their schema, unless the client's `validation` lets them pass. */
export function checkParams(
  call: Call,
  schema: Schema<unknown>,
  params: Record<string, unknown>,
  { sensitive, isEssential, takesAny = false }: ParamsCheck = {},
): void {
  const { connection, operation } = call;
  const { validation, observer, redactor, extraParameters } = connection;
  if (validation === 'off' && isEssential === undefined) return;
  const extra = extraParameters.get(operation);
  const unknown = takesAny ? [] : unknownFields(schema, params, extra?.has);
  if (unknown.length === 0 && conforms(schema, params)) return;
  const replaced = extra?.names.some((name) => params[name] !== undefined);
  const issues = [...unknown, ...issuesOf(schema, params, { sensitive, replaced })];
  const refused = validation === 'throw' ? issues : issues.filter(({ path }) => isEssential?.(path));
  // A key that was given in the wrong place is still a key.
  const redact = (shown: readonly Issue[]) => redactor.issues(shown);
  if (refused.length > 0)
    throw invalidRequest(
      operation,
      redact(refused),
      adviceOn(operation, validation === 'throw' ? unknown : []),
    );
  if (issues.length === 0 || validation === 'off') return;
  const message = `${operation}: the parameters do not match the schema; going on with them as they are`;
  observer.warn(message, { callId: call.callId, operation, issues: redact(issues) });
}

/** Returns how to send an unknown parameter; `undefined` without one. */
function adviceOn(operation: string, unknown: readonly UnknownField[]): string | undefined {
  if (unknown.length === 0) return undefined;
  const names = [...new Set(unknown.map(({ name = '…' }) => `'${name}'`))].join(', ');
  const extra = `add extraParameters: { '${operation}': [${names}] } to the options of the client`;
  return `If the service takes it, ${extra}. Nothing was sent.`;
}

/** Writes parameters in the form that the service takes. They may hold anything. */
export type Prepare = (params: Record<string, unknown>) => Record<string, unknown>;

interface JsonParams {
  readonly template: string;
  readonly id?: unknown;
  readonly idIssues?: readonly Issue[] | undefined;
  /** The schema of the parameters; absent without any. */
  readonly schema?: Schema<unknown> | undefined;
  /** Returns the parameters as the service takes them, before they are checked. Default: unchanged. */
  readonly prepare?: Prepare | undefined;
}

export const noBody: JsonBody = { kind: 'json', text: undefined, fieldNames: () => [] };

/** Checks the parameters of a method of the JSON API, and encodes them with sorted names. */
export function jsonEncoding({
  template,
  id,
  idIssues = [],
  schema,
  prepare = (params) => params,
}: JsonParams): Encoding<unknown> {
  return {
    isKeyed: true,
    encode(copied, call) {
      const { operation } = call;
      const path = template.includes('{') ? fillPath(operation, template, { id }) : template;
      const params = schema && prepare(acceptParams(call, copied));
      if (idIssues.length > 0 && call.connection.validation !== 'off')
        throw invalidRequest(operation, idIssues);
      if (schema === undefined || params === undefined) return { path, query: '', body: noBody };
      checkParams(call, schema, params);
      const text = JSON.stringify(params);
      return { path, query: '', body: { kind: 'json', text, fieldNames: () => fieldNames(schema) } };
    },
  };
}
