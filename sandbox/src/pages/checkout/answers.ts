import type { CollectConfig } from '../../base/interface-types.ts';
import type { Buyer } from '../../domain/payments/pay.ts';
import { readField } from '../../transact/form-request.ts';
import { type Field, messagesOf, type Problems } from '../form-fields.tsx';
import { texts } from '../texts.ts';
import { isEmail, isPhone, mayBeLeftOut } from './answer-rules.ts';

/** The ISO 3166 country codes. `Intl` knows their names but does not list them. */
const codes =
  'AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW'.split(
    ' ',
  );

/** Returns `[code, name]` of all countries, sorted by name. */
function allCountries(): readonly (readonly [code: string, name: string])[] {
  const names = new Intl.DisplayNames(['en'], { type: 'region' });
  const collator = new Intl.Collator('en');
  return codes
    .map((code) => [code, names.of(code) ?? code] as const)
    .sort(([, one], [, other]) => collator.compare(one, other));
}

const contact = [
  { name: 'name', label: texts.name, autocomplete: 'name', capitals: 'words' },
  { name: 'email', label: texts.email, autocomplete: 'email', type: 'email', wrong: texts.wrongEmail },
  { name: 'phone', label: texts.phone, autocomplete: 'tel', type: 'tel', wrong: texts.wrongPhone },
] as const satisfies readonly Field[];

const choices = [['', texts.chooseCountry] as const, ...allCountries()];

/** An address. The page of a session that needs less than a whole one asks for the country and the postal code. */
const address: readonly Field[] = [
  { name: 'country', label: texts.country, autocomplete: 'country', choices },
  { name: 'line1', label: texts.line1, autocomplete: 'address-line1', capitals: 'words' },
  { name: 'line2', label: texts.line2, autocomplete: 'address-line2', capitals: 'words', isOptional: true },
  { name: 'postal_code', label: texts.postalCode, autocomplete: 'postal-code', capitals: 'characters' },
  { name: 'city', label: texts.city, autocomplete: 'address-level2', capitals: 'words' },
  { name: 'state', label: texts.state, autocomplete: 'address-level1', capitals: 'words' },
];

function addressFields(group: 'billing' | 'shipping', isWhole: boolean): readonly Field[] {
  const parts = address.filter(({ name }) => isWhole || name === 'country' || name === 'postal_code');
  return parts.map((part) => ({
    ...part,
    name: `${group}_${part.name}`,
    autocomplete: `${group} ${part.autocomplete}`,
  }));
}

/** Fields under one heading. */
export interface Questions {
  /** The heading. */
  readonly title: string;
  readonly fields: readonly Field[];
  /** Whether a checkbox answers them with the billing address. Default: false. */
  readonly mayBeSame?: boolean;
}

/** Returns a field as a session collects it, or nothing. Unknown values of `collect_config` count as optional. */
function asked(field: Field, wish: string, isNeeded: boolean): readonly Field[] {
  if (wish === 'hidden' && !isNeeded) return [];
  return [{ ...field, isOptional: field.isOptional || !(isNeeded || wish === 'required') }];
}

/** Returns the fields that a session collects from the buyer, besides the card. */
export function questionsOf(config: CollectConfig): readonly Questions[] {
  const { require_full_billing_address: isWhole, require_shipping_address: isShipped } = config;
  const groups = [
    {
      title: texts.contact,
      fields: contact.flatMap((one) =>
        asked(one, config[one.name], one.name === 'phone' && config.require_phone),
      ),
    },
    {
      title: texts.billingAddress,
      fields: addressFields('billing', isWhole).flatMap((one) => asked(one, config.address, isWhole)),
    },
    {
      title: texts.shippingAddress,
      fields: addressFields('shipping', true).flatMap((one) => asked(one, 'hidden', isShipped)),
      mayBeSame: isWhole,
    },
  ];
  return groups.filter(({ fields }) => fields.length > 0);
}

/** The buyer's input, by field name. */
export type Answers = Readonly<Record<string, string>>;

/** The name of the checkbox with which the billing address is the shipping address too. */
export const sameAddress = 'same_address';

/** The maximum length of a value, in characters. No valid value is longer. */
const longest = 500;

/** Reads the fields of a form that the page asked for, and ignores all others. */
export function readAnswers(form: FormData, questions: readonly Questions[]): Answers {
  const names = questions.flatMap(({ fields, mayBeSame }) => [
    ...fields.map(({ name }) => name),
    ...(mayBeSame ? [sameAddress] : []),
  ]);
  return Object.fromEntries(names.map((name) => [name, readField(form, name).trim().slice(0, longest)]));
}

function isRight({ type, choices }: Field, answer: string): boolean {
  if (choices !== undefined) return choices.some(([code]) => code === answer);
  if (type === 'email') return isEmail(answer);
  return type !== 'tel' || isPhone(answer);
}

function problemOf(field: Field, answers: Answers): string | undefined {
  const { name, isOptional = false } = field;
  const { missing, wrong } = messagesOf(field);
  const answer = answers[name] ?? '';
  const country = answers[`${name.split('_', 1)[0]}_country`] ?? '';
  if (answer === '') return isOptional || mayBeLeftOut(name, country) ? undefined : missing;
  return isRight(field, answer) ? undefined : wrong;
}

/** Returns the error message of each wrong field. */
export function problemsOf(answers: Answers, questions: readonly Questions[]): Problems {
  const fields = questions.flatMap(({ fields, mayBeSame }) =>
    mayBeSame && answers[sameAddress] ? [] : fields,
  );
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
    shipping: addressOf(answers, answers[sameAddress] ? 'billing' : 'shipping'),
  };
}
