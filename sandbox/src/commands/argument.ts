import type { IdKind } from '../base/interface-types.ts';
import * as s from '../base/schema.ts';
import { idPrefixes } from '../sdk.ts';
import type { Choices } from './choices.ts';

/** An argument of a command: what it may be, and what the shell and the dashboard say of it. */
export interface Argument<Value> {
  readonly schema: s.Schema<Value>;
  /** Sentences for the help. */
  readonly help: string;
  /** How the shell reads it. `fields`: a repeatable `--set name=value`. */
  readonly kind: 'text' | 'count' | 'flag' | 'texts' | 'fields';
  readonly isRequired: boolean;
  /** Whether it is an operand of the shell; otherwise an option. */
  readonly isOperand: boolean;
  /** The values to choose from. Default: any of its kind. */
  readonly choices?: Choices;
}

const required = { isRequired: true, isOperand: true } as const;

export function text(help: string, expected?: string): Argument<string> {
  return { ...required, kind: 'text', help, schema: s.filled(expected) };
}

/** A text whose type in TypeScript is narrower. What it names is checked by the command. */
export function textAs<Text extends string>(help: string, expected?: string): Argument<Text> {
  const isText = (value: unknown) => typeof value === 'string' && value !== '';
  return {
    ...required,
    kind: 'text',
    help,
    schema: s.custom<Text>(isText, expected ?? 'a non-empty string'),
  };
}

/** The id of an object, of a kind whose ids have a known prefix. */
export function idOf<Kind extends IdKind>(kind: Kind, help: string) {
  const prefix = idPrefixes[kind];
  const schema = s.prefixed(prefix, `an id that starts with '${prefix}'`);
  return { ...required, kind: 'text', help, schema } as const;
}

export function choice<const Word extends string>(help: string, choices: Choices<Word>): Argument<Word> {
  return { ...required, kind: 'text', help, choices, schema: s.literal(choices.words) };
}

/** A duration in ms, or as a text such as `'3 days'`. The command checks its form. */
export function duration(help: string): Argument<string | number> {
  const schema = s.union([s.string(), s.number()], "milliseconds or a text such as '3 days'");
  return { ...required, kind: 'text', help, schema };
}

export function count(help: string, min: number, max: number): Argument<number> {
  return { ...required, kind: 'count', help, schema: s.integerFrom(min, max) };
}

export function flag(help: string): Argument<boolean> {
  return { ...required, kind: 'flag', help, schema: s.boolean() };
}

export function texts(help: string, expected: string): Argument<readonly string[]> {
  return {
    ...required,
    kind: 'texts',
    help,
    schema: s.array(s.filled()).check(s.refine((items) => items.length > 0, expected)),
  };
}

/** Fields of an object of the service. The command checks them. */
export function fields(help: string): Argument<Readonly<Record<string, unknown>>> {
  return { ...required, isOperand: false, kind: 'fields', help, schema: s.anyFields() };
}

/** Fields of the object that a command changes. */
export function objectFields(): Argument<Readonly<Record<string, unknown>>> {
  return fields('Sets a field of the object, as JSON or text; dots separate nested fields.');
}

/** The same argument as an option, which may be left out. */
export function optional<Value>(argument: Argument<Value>): Argument<Value | undefined> {
  return { ...optionalOperand(argument), isOperand: false };
}

/** The same argument as an operand, which may be left out. Only the last operand may. */
export function optionalOperand<Value>(argument: Argument<Value>): Argument<Value | undefined> {
  return { ...argument, isRequired: false, schema: s.optional(argument.schema) };
}
