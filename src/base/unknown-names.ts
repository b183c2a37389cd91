import type { Issue } from './issue.ts';
import { meantBy, nearest } from './nearest.ts';

/** What other SDKs and forms call something that has another name here. */
const namesElsewhere = new Map([
  ['apikey', 'secretKey'],
  ['maxnetworkretries', 'maxRetries'],
  ['price', 'amount'],
  ['cardnumber', 'ccnumber'],
  ['cvc', 'cvv'],
  ['cvv2', 'cvv'],
  ['expiry', 'ccexp'],
  ['postalcode', 'zip'],
  ['securitycode', 'cvv'],
  ['token', 'payment_token'],
  ['zipcode', 'zip'],
]);

/** Parameters of other SDKs that a service would ignore in silence, and what to write instead. */
const callsElsewhere = new Map([
  ['confirm', 'it is a call of its own: paymentIntents.confirm(id, …)'],
  ['expand', 'retrieve the other object by its id'],
]);

/** Returns what to write in place of a parameter of another SDK; `undefined` if the name is of none. */
export function callInPlaceOf(name: string): string | undefined {
  return callsElsewhere.get(name);
}

/** Returns the words of an issue for an unknown name: the name that was probably meant, or all that are known. */
export function unknownName(name: string, known: readonly string[]): Omit<Issue, 'path'> {
  const meant = meantBy(namesElsewhere.get(withoutStyle(name)) ?? name, known);
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
  const exact = known.find((one) => withoutStyle(one) === plain || one === namesElsewhere.get(plain));
  const near = exact ?? (name.length > 4 ? nearest(name, known, 2) : undefined);
  if (near !== undefined || !loosely) return near;
  const similar = known.filter((one) => resembles(name, one));
  return nearest(name, similar, Number.POSITIVE_INFINITY) ?? similar[0];
}

export interface Misnamed extends Issue {
  readonly name: string;
}

/** Whether a message may repeat the name of an option. Other text may be a secret, or control a terminal. */
export function isPlainName(name: string): boolean {
  return /^[A-Za-z_]{1,40}$/.test(name);
}

/** Returns an issue for each name of an object that is not known. */
export function unknownNames(path: string, given: object, known: readonly string[]): Issue[] {
  const unknown = Object.keys(given).filter((name) => !known.includes(name));
  return unknown.map((name) => ({ path: `${path}.${name}`, ...unknownName(name, known) }));
}
