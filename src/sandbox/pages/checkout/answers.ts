import type { Buyer } from '../../domain/payments/pay.ts';
import { readField } from '../../transact/form-request.ts';
import type { Problems } from '../card-form/card-form-html.ts';
import type { Field } from '../card-form/form-field.ts';
import { isEmail, isPhone, mayBeLeftOut } from './answer-rules.ts';
import { isCountry } from './countries.ts';
import type { Questions } from './questions.ts';

/** The buyer's input, by field name. */
export type Answers = Readonly<Record<string, string>>;

/** The maximum length of a value, in characters. No valid value is longer. */
const longest = 500;

/** Reads the fields of a form that the page asked for, and ignores all others. */
export function readAnswers(form: FormData, questions: readonly Questions[]): Answers {
  const fields = questions.flatMap((group) => group.fields);
  return Object.fromEntries(fields.map(({ name }) => [name, readField(form, name).trim().slice(0, longest)]));
}

function isRight({ type, choices }: Field, answer: string): boolean {
  if (choices !== undefined) return isCountry(answer);
  if (type === 'email') return isEmail(answer);
  return type !== 'tel' || isPhone(answer);
}

function problemOf(field: Field, answers: Answers): string | undefined {
  const { name, isOptional = false, flaws } = field;
  const answer = answers[name] ?? '';
  const country = answers[`${name.split('_', 1)[0]}_country`] ?? '';
  if (answer === '') return isOptional || mayBeLeftOut(name, country) ? undefined : flaws.missing;
  return isRight(field, answer) ? undefined : (flaws.wrong ?? flaws.missing);
}

/** Returns the error message of each wrong field. */
export function problemsOf(answers: Answers, questions: readonly Questions[]): Problems {
  const fields = questions.flatMap((group) => group.fields);
  const problems = fields.map((field) => [field.name, problemOf(field, answers)] as const);
  return Object.fromEntries(problems.filter((entry): entry is [string, string] => entry[1] !== undefined));
}

function addressOf(answers: Answers, group: 'billing' | 'shipping'): Readonly<Record<string, string>> | null {
  const prefix = `${group}_`;
  const parts = Object.entries(answers).filter(([name, value]) => name.startsWith(prefix) && value !== '');
  if (parts.length === 0) return null;
  return Object.fromEntries(parts.map(([name, value]) => [name.slice(prefix.length), value]));
}

/** Returns the buyer as customers and sessions store it. The last word of the name becomes the family name. */
export function buyerOf(answers: Answers): Buyer {
  const name = answers['name'] ?? '';
  const space = name.search(/\s\S*$/);
  return {
    first_name: space === -1 ? name : name.slice(0, space).trimEnd(),
    last_name: space === -1 ? '' : name.slice(space + 1),
    email: answers['email'] ?? '',
    phone: answers['phone'] ?? '',
    billing_address: addressOf(answers, 'billing'),
    shipping: addressOf(answers, 'shipping'),
  };
}
