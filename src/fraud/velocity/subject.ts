import { refuse } from '../../base/errors.ts';
import { checkOptions, optionIssues } from '../../base/schema/options.ts';
import * as s from '../../base/schema/schema.ts';
import { conforms } from '../../base/schema/validation.ts';

/**
 * A card, by its number or by a stable identifier: a fingerprint, or the id of a stored payment method. A payment token of
 * the card-field script does not work, since each payment has a new one (*inferred*). Only a keyed hash is stored. A card
 * that you pass once by number and once by token counts as two cards.
 */
type VelocityCard =
  | {
      /** The card number, 12 to 19 digits; blanks and dashes between them are ignored. */
      readonly number: string;
      /** Must be absent: the number identifies the card. */
      readonly token?: undefined;
    }
  | {
      /** A fingerprint or another stable id of the card. */
      readonly token: string;
      /** Must be absent: the token identifies the card. */
      readonly number?: undefined;
    };

/** A payment attempt to check before the payment is sent. */
export interface VelocityAttempt {
  /** The card; without it, rules per card are skipped. */
  readonly card?: VelocityCard | undefined;
  /** The buyer's IP address; without it, rules per IP address are skipped. For IPv6, the /64 network counts. */
  readonly ip?: string | undefined;
  /** Any other subjects of your rules, such as `{ email: '…' }`. Compared exactly. */
  readonly subjects?: Readonly<Record<string, string>> | undefined;
  /**
   * Your id of this single attempt, so that a repeated request does not count twice: an attempt with the same id, card, amount
   * and currency counts once until its outcome is recorded. Do not use an order id: tries of one order at the same time would
   * count as one. Default: random.
   */
  readonly id?: string | undefined;
  /**
   * The amount, a decimal string such as `12.00`. Without it, rules about amounts are skipped. It is compared with the
   * limits without a conversion: if your sales have `formAmounts: 'integer'`, pass integer minor units here and in the
   * limits.
   */
  readonly amount?: string | undefined;
  /** The currency of `amount`, three letters in either case. Default: none, which counts as a separate currency. */
  readonly currency?: string | undefined;
}

/**
 * Returns the value that a rule groups an attempt by, as text to hash; `undefined` if the attempt has none.
 *
 * @throws ConfigurationError for a wrong value; never quotes the value.
 */
export function subjectOf(per: string, attempt: VelocityAttempt): string | undefined {
  const { card, ip, subjects } = attempt;
  if (per === 'card') return card === undefined ? undefined : cardText('attempt.card', card);
  if (per === 'ip') return ip === undefined ? undefined : ipText('attempt.ip', ip);
  const value = subjects !== undefined && Object.hasOwn(subjects, per) ? subjects[per] : undefined;
  return value === undefined ? undefined : filled(`attempt.subjects.${per}`, value);
}

const advice = 'Nothing was counted.';
const text = /* @__PURE__ */ s.lazily(() => s.filled());

function filled(path: string, value: unknown): string {
  if (conforms(text, value)) return value;
  // It may identify a person, so it is not quoted.
  return refuse(optionIssues(path, text, value, { sensitive: true }), advice);
}

/** The digits of a card number; empty for anything else. */
function digitsOf(number: unknown): string {
  const digits = typeof number === 'string' ? number.replace(/[ -]/g, '') : '';
  return /^\d{12,19}$/.test(digits) ? digits : '';
}

const cardSchema = /* @__PURE__ */ s.lazily(() =>
  s
    .object(
      {
        number: s.optional(s.custom(digitsOf, 'a card number of 12 to 19 digits')),
        token: s.optional(text),
      },
      '{ number } or { token }',
    )
    .check(s.exactlyOne('number', 'token')),
);

export function cardText(path: string, card: VelocityCard): string {
  checkOptions(path, cardSchema, card, advice);
  return card.token === undefined ? `number ${digitsOf(card.number)}` : `token ${card.token}`;
}

/** Returns an IP address in canonical form. Text that is not an address, as some proxies send, is used unchanged. */
function ipText(path: string, value: unknown): string {
  const text = withoutPort(filled(path, value).trim().toLowerCase());
  // Other text could close the brackets and continue as a URL of any host.
  if (!/^[\da-f:.]+$/.test(text) || !URL.canParse(`http://[${text}]`)) return text;
  return networkOf(groupsOf(new URL(`http://[${text}]`).hostname.slice(1, -1)));
}

/** A buyer has a new port for each connection, so counting by port would count nothing. */
function withoutPort(text: string): string {
  return /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(text)?.[1] ?? /^\[(.*)\](?::\d+)?$/.exec(text)?.[1] ?? text;
}

/** Returns the eight groups of an IPv6 address in URL form. */
function groupsOf(address: string): string[] {
  const halves = address.split('::').map((half) => half.split(':').filter(Boolean));
  const zeros = Array.from({ length: 8 - halves.flat().length }, () => '0');
  return halves.flatMap((half, index) => (index === 0 ? [...half, ...zeros] : half));
}

/** Returns the first half of an IPv6 address, since a buyer can choose the other half freely. */
function networkOf(groups: readonly string[]): string {
  const isMapped = groups.slice(0, 6).join(':') === '0:0:0:0:0:ffff';
  if (!isMapped) return `${groups.slice(0, 4).join(':')}::/64`;
  // An IPv4-mapped IPv6 address.
  const bytes = groups.slice(6).flatMap((group) => {
    const number = Number.parseInt(group, 16);
    return [number >> 8, number & 255];
  });
  return bytes.join('.');
}
