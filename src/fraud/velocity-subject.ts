import { describeValue } from '../base/describe.ts';
import { isRecord } from '../base/json.ts';
import { problem } from './refuse.ts';

/**
 * A card, by its number or by anything that is always the same for it: a fingerprint, or the id of a stored payment
 * method. A payment token of the card-field script tells nothing, since each payment has its own (*inferred*). Only a keyed hash is stored;
 * a card that comes once by number and once by token is two.
 */
export type VelocityCard =
  | {
      /** The card number, 12 to 19 digits; blanks and dashes between them are ignored. */
      readonly number: string;
      /** Left out: the number names the card. */
      readonly token?: undefined;
    }
  | {
      /** A fingerprint or another lasting id of the card. */
      readonly token: string;
      /** Left out: the token names the card. */
      readonly number?: undefined;
    };

/** Who or what an attempt is counted by. */
export interface VelocitySubjects {
  /** The card; without it rules per card are skipped. */
  readonly card?: VelocityCard | undefined;
  /** The buyer's IP address; without it rules per IP address are skipped. Of IPv6 the network (/64) counts. */
  readonly ip?: string | undefined;
  /** Anything else that your rules count by, such as `{ email: '…' }`. Compared letter by letter. */
  readonly subjects?: Readonly<Record<string, string>> | undefined;
}

/**
 * What a rule groups an attempt by, as text to be hashed; `undefined` where the attempt does not have it.
 *
 * @param path What an error calls the attempt.
 * @throws TypeError for a value of the wrong kind; it never repeats the value.
 */
export function subjectOf(per: string, attempt: VelocitySubjects, path = 'attempt'): string | undefined {
  const { card, ip, subjects } = attempt;
  if (per === 'card') return card === undefined ? undefined : cardText(`${path}.card`, card);
  if (per === 'ip') return ip === undefined ? undefined : ipText(`${path}.ip`, ip);
  const value = subjects !== undefined && Object.hasOwn(subjects, per) ? subjects[per] : undefined;
  return value === undefined ? undefined : filled(`${path}.subjects.${per}`, value);
}

function filled(path: string, value: unknown): string {
  if (typeof value === 'string' && value !== '') return value;
  return refuseSecretly(path, 'a non-empty string', value);
}

/** @throws TypeError always. A value that names a person or a card is never repeated. */
export function refuseSecretly(path: string, expected: string, value: unknown): never {
  throw new TypeError(problem(path, expected, describeValue(value, path, true)));
}

function cardText(path: string, card: unknown): string {
  if (!isRecord(card)) return refuseSecretly(path, '{ number } or { token }', card);
  const { number, token } = card;
  if ((number === undefined) === (token === undefined)) {
    const received = number === undefined ? 'neither' : 'both';
    throw new TypeError(problem(path, 'either a number or a token', received));
  }
  if (token !== undefined) return `token ${filled(`${path}.token`, token)}`;
  const digits = typeof number === 'string' ? number.replace(/[ -]/g, '') : '';
  if (/^\d{12,19}$/.test(digits)) return `number ${digits}`;
  return refuseSecretly(`${path}.number`, 'a card number of 12 to 19 digits', number);
}

/** An IP address in one spelling. Text that is none, as proxies send it, counts as it is. */
function ipText(path: string, value: unknown): string {
  const text = withoutPort(filled(path, value).trim().toLowerCase());
  // Text that is no address could end the brackets and go on as a URL of any host.
  if (!/^[\da-f:.]+$/.test(text) || !URL.canParse(`http://[${text}]`)) return text;
  return networkOf(groupsOf(new URL(`http://[${text}]`).hostname.slice(1, -1)));
}

/** A buyer has a new port for each connection, so that counting by it would count nothing. */
function withoutPort(text: string): string {
  return /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(text)?.[1] ?? /^\[(.*)\](?::\d+)?$/.exec(text)?.[1] ?? text;
}

/** The eight groups of an IPv6 address in the spelling of URLs. */
function groupsOf(address: string): string[] {
  const halves = address.split('::').map((half) => half.split(':').filter(Boolean));
  const zeros = Array.from({ length: 8 - halves.flat().length }, () => '0');
  return halves.flatMap((half, index) => (index === 0 ? [...half, ...zeros] : half));
}

/** The first half of an IPv6 address, since a buyer has the whole of the other half to choose from. */
function networkOf(groups: readonly string[]): string {
  const isMapped = groups.slice(0, 6).join(':') === '0:0:0:0:0:ffff';
  if (!isMapped) return `${groups.slice(0, 4).join(':')}::/64`;
  // An IPv4 address in the guise of IPv6.
  const bytes = groups.slice(6).flatMap((group) => {
    const number = Number.parseInt(group, 16);
    return [number >> 8, number & 255];
  });
  return bytes.join('.');
}
