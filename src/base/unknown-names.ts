import type { Issue } from './issue.ts';
import { meantBy, nearest } from './nearest.ts';

type Names = Readonly<Record<string, string>>;

/** Options that other SDKs call by another name. */
const optionsElsewhere: Names = { apikey: 'secretKey', host: 'baseUrl', maxnetworkretries: 'maxRetries' };

/** Fields that other SDKs and forms call by another name. */
const fieldsElsewhere: Names = {
  cvc: 'cvv',
  cvv2: 'cvv',
  postalcode: 'zip',
  securitycode: 'cvv',
  zipcode: 'zip',
};

/** Parameters of other SDKs that a service would ignore in silence, and what to write instead. */
const callsElsewhere: Names = {
  amount: 'only a line has one',
  confirm: 'it is a call of its own: paymentIntents.confirm(id, …)',
  expand: 'retrieve the other object by its id',
  price: 'a line has an amount, an item a price',
};

/** Parameters of other SDKs that change what is charged, or when, and that the interface does not show. */
const onlyElsewhere =
  /^(application_fee_amount|automatic_payment_methods|discounts|final_capture|\w+_data|trial_\w+)$/;

function entryOf(table: Names, name: string): string | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

/** Returns what to write in place of a parameter of another SDK; `undefined` if the name is of none. */
export function callInPlaceOf(name: string): string | undefined {
  return entryOf(callsElsewhere, name) ?? (onlyElsewhere.test(name) ? 'another service has it' : undefined);
}

/** Returns the words of an issue for an unknown name: the name that was probably meant, or all that are known. */
export function unknownName(name: string, known: readonly string[]): Omit<Issue, 'path'> {
  const meant = meantBy(entryOf(optionsElsewhere, withoutStyle(name)) ?? name, known);
  return {
    expected: meant === '' ? `one of ${known.join(', ')}` : 'a known name',
    received: `an unknown option${meant}`,
  };
}

function withoutStyle(name: string): string {
  return name.toLowerCase().replaceAll('_', '');
}

/** Shorter names, such as `id`, stand in too many others. */
const minLength = 5;

/** Whether one name holds the other, as `amount_to_capture` holds `amount`. */
function resembles(name: string, other: string): boolean {
  const [short = '', long = ''] = [withoutStyle(name), withoutStyle(other)].sort(
    (a, b) => a.length - b.length,
  );
  return short.length >= minLength && long.includes(short);
}

/**
 * Returns the name of the field that was probably meant, whatever its style and its length.
 *
 * @param loosely Whether it is enough that one name holds the other.
 */
export function meantByField(name: string, known: readonly string[], loosely: boolean): string | undefined {
  const plain = withoutStyle(name);
  const elsewhere = entryOf(fieldsElsewhere, plain);
  const exact = known.find((one) => withoutStyle(one) === plain || one === elsewhere);
  const near = exact ?? (name.length > 4 ? nearest(name, known, 2) : undefined);
  if (near !== undefined || !loosely) return near;
  const similar = known.filter((one) => resembles(name, one));
  return nearest(name, similar, Number.POSITIVE_INFINITY) ?? similar[0];
}

export interface Misnamed extends Issue {
  readonly name: string;
}

/** Whether a message may repeat the name of a field. Other text may be a secret, or control a terminal; one digit is in none. */
export function isPlainName(name: string): boolean {
  return /^[A-Za-z_]{1,39}\d?$/.test(name);
}

/** Returns an issue for each name of an object that is not known. */
export function unknownNames(path: string, given: object, known: readonly string[]): Issue[] {
  const unknown = Object.keys(given).filter((name) => !known.includes(name));
  return unknown.map((name) => ({ path: `${path}.${name}`, ...unknownName(name, known) }));
}
