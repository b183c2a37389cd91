import {
  $ZodArray,
  type $ZodIssue,
  $ZodObject,
  $ZodOptional,
  type $ZodRawIssue,
  type $ZodType,
  type ParsePayload,
  safeParse,
  validate,
} from 'zod/v4/core';
import { describeValue, formatPath } from './describe.ts';
import type { Issue } from './issue.ts';
import { isRecord } from './json.ts';
import { type Misnamed, misnamed, unknownName } from './unknown-names.ts';

/** A schema of values of one type. */
export type Schema<T> = $ZodType<T, T>;

/** A valid value, or its issues. */
export type Checked<T> = { readonly value: T } | { readonly issues: readonly Issue[] };

/** How issues describe values. */
export interface IssueOptions {
  /** Whether no value is repeated, whatever its field is called. Default: by the field's name. */
  readonly sensitive?: boolean | undefined;
  /** Whether a field that the schema does not name may stand for one of an `either … or`. Default: false. */
  readonly replaced?: boolean | undefined;
}

const typeWords: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  record: 'an object',
};

/** Describes the expected value, for schemas and checks without a text. */
function expectedWords(issue: $ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return typeWords[issue.expected] ?? 'a value';
    case 'invalid_value':
      return issue.values.map((value) => `'${String(value)}'`).join(' or ');
    case 'invalid_union':
      return issue.errors.flatMap(([first]) => first?.message ?? []).join(' or ');
    default:
      return 'another value';
  }
}

/** Describes every issue, so zod never uses its global configuration, which belongs to the user's program. */
const context = { error: expectedWords, reportInput: true };

function toIssue(issue: $ZodIssue, { sensitive }: IssueOptions): Issue {
  const path = formatPath(issue.path);
  const known: unknown = issue.code === 'custom' ? issue.params?.['known'] : undefined;
  if (Array.isArray(known)) return { path, ...unknownName(String(issue.path.at(-1)), known) };
  const said: unknown = issue.code === 'custom' ? issue.params?.['received'] : undefined;
  const received = typeof said === 'string' ? said : describeValue(inputOf(issue), path, sensitive);
  return { path, expected: issue.message, received };
}

/** Returns the value at the path of an issue. For a field that chooses between objects, zod reports the whole object. */
function inputOf(issue: $ZodIssue): unknown {
  const { input } = issue;
  if (issue.code !== 'invalid_union' || issue.discriminator === undefined || !isRecord(input)) return input;
  return input[issue.discriminator];
}

/** Whether a check of a string's length can run: zod runs its own on anything with a length. */
export function holdsString({ value }: ParsePayload): boolean {
  return typeof value === 'string';
}

/** Whether a check of an array's length can run. */
export function holdsArray({ value }: ParsePayload): boolean {
  return Array.isArray(value);
}

/** Returns a check of an object: that fields are there where another field has one value. */
export function requireWhen(field: string, when: string, names: readonly string[]) {
  return ({ value, issues }: ParsePayload<object>): void => {
    if (Reflect.get(value, field) !== when) return;
    for (const name of names) {
      const input: unknown = Reflect.get(value, name);
      if (input !== null && input !== undefined) continue;
      issues.push({ code: 'custom', path: [name], input, message: `a value, since ${field} is '${when}'` });
    }
  };
}

/** Returns a check of an object: that exactly one of two fields is there. The issue says whether both are there, or neither. */
export function requireOneOf(one: string, other: string) {
  return ({ value, issues }: ParsePayload<object>): void => {
    const hasOne = Reflect.get(value, one) !== undefined;
    if (hasOne !== (Reflect.get(value, other) !== undefined)) return;
    const message = `either ${one} or ${other}`;
    issues.push({ code: 'custom', input: value, message, params: { received: hasOne ? 'both' : neither } });
  };
}

const neither = 'neither';

function lacksBoth(issue: $ZodIssue): boolean {
  return issue.code === 'custom' && issue.params?.['received'] === neither;
}

/** Returns the names of an object schema's fields; none for any other schema. */
export function fieldNames(schema: Schema<unknown>): readonly string[] {
  return schema instanceof $ZodObject ? Object.keys(schema._zod.def.shape) : [];
}

/** The fields of an object, and of the objects within them. */
interface FieldTree {
  readonly names: readonly string[];
  readonly within: ReadonlyMap<string, FieldTree>;
}

/** Returns the fields of the objects that a schema describes: the value itself, its items, or what may be absent. */
function treeOf(schema: $ZodType): FieldTree | undefined {
  if (schema instanceof $ZodOptional) return treeOf(schema._zod.def.innerType);
  if (schema instanceof $ZodArray) return treeOf(schema._zod.def.element);
  if (!(schema instanceof $ZodObject)) return undefined;
  const fields = Object.entries(schema._zod.def.shape);
  const within = fields.flatMap(([name, field]) => {
    const tree = treeOf(field);
    return tree === undefined ? [] : [[name, tree] as const];
  });
  return { names: fields.map(([name]) => name), within: new Map(within) };
}

const trees = new WeakMap<Schema<unknown>, FieldTree>();

const noFields: FieldTree = { names: [], within: new Map() };

/** The schemas are constants, and a call of each comes again and again. */
function knownTree(schema: Schema<unknown>): FieldTree {
  const known = trees.get(schema);
  if (known !== undefined) return known;
  const tree = treeOf(schema) ?? noFields;
  trees.set(schema, tree);
  return tree;
}

function allNames({ names, within }: FieldTree): readonly string[] {
  return [...names, ...[...within.values()].flatMap(allNames)];
}

const nameSets = new WeakMap<FieldTree, ReadonlySet<string>>();

/** Returns the names of all fields of a schema, of those within others too; `undefined` if it names none. */
export function namesWithin(schema: Schema<unknown>): ReadonlySet<string> | undefined {
  const tree = knownTree(schema);
  if (tree.names.length === 0) return undefined;
  const known = nameSets.get(tree) ?? new Set(allNames(tree));
  nameSets.set(tree, known);
  return known;
}

/** Which names are taken for wrong ones. */
export interface NameCheck {
  /** Whether common words are enough. */
  readonly loosely: boolean;
  /** Names that pass. */
  readonly extra: readonly string[];
}

/** Returns an issue for each field, at any depth, that is unknown and probably stands for an absent one of the schema. */
export function misnamedFields(
  schema: Schema<unknown>,
  value: Record<string, unknown>,
  check: NameCheck,
): readonly Misnamed[] {
  const issues: Misnamed[] = [];
  collectMisnamed(knownTree(schema), value, [], check, issues);
  return issues;
}

function collectMisnamed(
  { names, within }: FieldTree,
  value: unknown,
  path: readonly (string | number)[],
  check: NameCheck,
  issues: Misnamed[],
): void {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      collectMisnamed({ names, within }, item, [...path, index], check, issues);
    }
    return;
  }
  if (!isRecord(value)) return;
  for (const name of Object.keys(value)) {
    if (value[name] === undefined || names.includes(name) || check.extra.includes(name)) continue;
    const absent = names.filter((one) => value[one] === undefined);
    const issue = misnamed(formatPath(path), name, absent, check.loosely);
    if (issue !== undefined) issues.push(issue);
  }
  for (const [name, tree] of within) collectMisnamed(tree, value[name], [...path, name], check, issues);
}

/** Whether a value conforms. */
export function conforms<T>(schema: Schema<T>, value: unknown): value is T {
  return validate(schema, value);
}

/** Returns a copy of the value with only the fields that its schema names, or the issues. */
export function strip<T>(schema: Schema<T>, value: unknown): Checked<T> {
  const { data, error } = safeParse(schema, value, context);
  return error === undefined ? { value: data } : { issues: error.issues.map((issue) => toIssue(issue, {})) };
}

/** Returns the issues of a value; none if it conforms. */
export function issuesOf(
  schema: Schema<unknown>,
  value: unknown,
  options: IssueOptions = {},
): readonly Issue[] {
  const issues = safeParse(schema, value, context).error?.issues ?? [];
  const shown = options.replaced ? issues.filter((issue) => !lacksBoth(issue)) : issues;
  return shown.map((issue) => toIssue(issue, options));
}

/** Returns the value itself where it conforms: a schema never changes a value, so unknown fields are kept. */
export function check<T>(schema: Schema<T>, value: unknown): Checked<T> {
  return conforms(schema, value) ? { value } : { issues: issuesOf(schema, value) };
}
