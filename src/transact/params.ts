import { readDecimal } from '../base/numbers.ts';
import { hasValidCheckDigit } from '../base/redact.ts';
import type { Inline } from '../base/runtime/runtime.ts';
import * as s from '../base/schema/schema.ts';
import { usualDigitsOf } from '../money/currencies.ts';
import type { ThreeDSecureResult } from './three-d-secure.ts';

/** The format of amounts that the form endpoint takes; the interface does not show it. */
export type FormAmounts = Inline<'currency' | 'two-decimals' | 'integer'>;

/**
 * The fields of any transaction. Fields are *shown* unless marked; which are required is not. `submit` sends other fields
 * unchanged. A name has 1 to 64 letters, digits, `_` and `-`, since PHP may read another one as that of another field.
 */
interface TransactionFields {
  /**
   * Your own id of the order. Use it to look up a sale whose response was lost (*inferred*: recorded responses of similar
   * endpoints repeat it as `orderid`).
   */
  orderid?: string | undefined;
  /** A description of the order (*inferred*). */
  order_description?: string | undefined;
  /** The number of the buyer's own purchase order (*inferred*). */
  ponumber?: string | undefined;
  /** The currency of the amount, three letters such as `USD` (*inferred*). Default: the account's. */
  currency?: string | undefined;
  /** The buyer's first name (*inferred*). */
  first_name?: string | undefined;
  /** The buyer's last name (*inferred*). */
  last_name?: string | undefined;
  /** The buyer's company (*inferred*). */
  company?: string | undefined;
  /** The second line of the billing address (*inferred*). */
  address2?: string | undefined;
  /** The billing country, two letters such as `US` (*inferred*). */
  country?: string | undefined;
  /** The buyer's IP address, used for geolocation and velocity rules. */
  ipaddress?: string | undefined;
  /** The buyer's e-mail address, used for fraud scoring. */
  email?: string | undefined;
  /** The buyer's phone number. */
  phone?: string | undefined;
  /** The first line of the billing address, used for AVS. */
  address1?: string | undefined;
  /** The billing city, used for AVS. */
  city?: string | undefined;
  /** The billing state, used for AVS. */
  state?: string | undefined;
  /** The billing ZIP code, used for AVS. */
  zip?: string | undefined;
  /** The session id of the browser's device-data collection. */
  risk_session_id?: string | undefined;
  /** The browser's 3-D Secure result, unchanged. Pass it instead of the four fields below. */
  threeDSecure?: ThreeDSecureResult | undefined;
  /** The 3-D Secure result's `cardholder_auth`. */
  cardholder_auth?: string | undefined;
  /** The 3-D Secure result's `cavv`. */
  cavv?: string | undefined;
  /** The 3-D Secure result's `xid`. */
  xid?: string | undefined;
  /** The 3-D Secure result's `eci`. */
  eci?: string | undefined;
}

/** Pays with a token of the card-field script, in place of a card number. Fields are *shown* unless marked. */
interface PaysByToken {
  /** The token (*shown*). Use it once (*inferred*: the interface does not show whether it can be used again). */
  payment_token: string;
  /** Must be absent: the token identifies the card. */
  ccnumber?: undefined;
  /** Must be absent: the token identifies the card. */
  ccexp?: undefined;
  /** The security code (*shown*), 3 or 4 digits (*inferred*). */
  cvv?: string | undefined;
}

/** Pays with a card number. Your server must be allowed to handle one. Fields are *shown* unless marked. */
interface PaysByCard {
  /**
   * The card number (*shown*), 12 to 19 digits with a valid check digit (*inferred*). Blanks and hyphens between digits are left out, unless
   * `validation` is `warn` or `off`.
   */
  ccnumber: string;
  /**
   * The expiry (*shown*), sent as `MMYY` (*inferred*), such as `0429`. `04/29`, `04 / 29`, `04/2029` and `2029-04` are accepted too; if
   * `validation` is `warn` or `off`, they are sent as they are.
   */
  ccexp: string;
  /** The security code (*shown*), 3 or 4 digits (*inferred*). */
  cvv?: string | undefined;
  /** Must be absent: the card number identifies the card. */
  payment_token?: undefined;
}

/** A payment without its amount: what `validate` checks (*inferred*). */
// The compiler's message is about the last of them, so that is the usual one.
export type ValidateParams = TransactionFields & (PaysByCard | PaysByToken);

/** Parameters of a sale, an authorization or a credit. */
export type SaleParams = ValidateParams & {
  /**
   * The amount (*shown*), above zero. By default a decimal string with exactly the decimals of the `currency`, as `toDecimalAmount` returns
   * it: `'12.00'` for USD, `'1200'` for JPY, and two without a `currency` (*inferred*; see `formAmounts`). A number does not compile, since
   * its unit would not be clear.
   */
  amount: string;
};

/** Names an earlier transaction. */
export interface TransactionReference {
  /** The earlier transaction's id (*inferred* as a parameter, *shown* as a response field). */
  transactionid: string;
}

/** An amount of an earlier transaction. */
interface PartOfTransaction extends TransactionReference {
  /**
   * The currency of the `amount`, three letters such as `JPY` (*inferred*). It is needed if the amount has no two decimals. Default: the
   * transaction's.
   */
  currency?: string | undefined;
}

/** Parameters of a capture. */
export interface TransactCaptureParams extends PartOfTransaction {
  /**
   * The amount, in the format of a sale's `amount` (*inferred*). Default: all of it (*inferred*). `undefined` is refused, and does not
   * compile: if a variable may be undefined, write `...(amount === undefined ? {} : { amount })`.
   */
  amount?: string;
}

/** Parameters of a refund. */
export interface TransactRefundParams extends PartOfTransaction {
  /**
   * The amount, in the format of a sale's `amount` (*inferred*). It is required, since similar endpoints refund everything
   * if the amount is missing or zero.
   */
  amount: string;
}

/** Parameters of any transaction: a type, and the fields that this type takes. */
export type SubmitParams = Record<string, string | undefined> & {
  /** The kind of transaction; `sale` is *shown*, the other kinds are not. */
  type: string;
};

/** How an amount must be written. `1200` and `12.00` differ by a factor of 100, so no other form is taken. */
interface AmountForm {
  readonly decimals: number;
  readonly expected: string;
}

/** How an amount is written in a currency; two decimals are the usual ones. */
function formOfCurrency(currency: unknown): AmountForm {
  const decimals = usualDigitsOf(currency);
  const which =
    currency === undefined ? 'two decimals, or a currency beside it' : 'the decimals of its currency';
  const form =
    decimals === 0
      ? "a whole amount such as '1200', since the currency has no decimals"
      : `a decimal string such as '12.${'0'.repeat(decimals)}', with ${which}`;
  return { decimals, expected: `${form} (inferred; see formAmounts)` };
}

/** Those that are the same in each currency. */
const fixedForms: Readonly<Record<Exclude<FormAmounts, 'currency'>, AmountForm>> = {
  'two-decimals': {
    decimals: 2,
    expected: "an amount with two decimals such as '12.00', since formAmounts is 'two-decimals'",
  },
  integer: {
    decimals: 0,
    expected: "whole minor units such as '1200', since formAmounts is 'integer'",
  },
};

const cardNumberText = 'a card number of 12 to 19 digits';
const expiryText = "an expiry such as '0129' (MMYY), '01/29' or YYYY-MM";
const securityCodeText = 'a security code of 3 or 4 digits';
const checkDigitText = 'a card number whose check digit is right; was it typed correctly?';

/** The longest texts of fields, in characters (*inferred*): far longer than any known one. */
const maxLengths = {
  /** Of texts, such as an address. */
  text: 1024,
  /** Of what a browser or a bank gives in place of a card: `payment_token`, `cavv`, `xid`. */
  token: 4096,
  /** Of fields that the interface does not name; the token of a wallet may be one. */
  other: 65_536,
} as const;

const bounded = (max: number) => s.string().check(s.maximumLength(max));
const text = () => s.optional(bounded(maxLengths.text));
const token = () => s.optional(bounded(maxLengths.token));
const filled = (what: string, max: number = maxLengths.text) => s.filled(what).check(s.maximumLength(max));

/** The fields that are checked wherever they occur. */
const knownFields = () => ({
  payment_token: s.optional(filled('a payment token', maxLengths.token)),
  ccnumber: s.optional(
    s
      .string(cardNumberText)
      .check(
        s.regex(/^\d{12,19}$/, { error: cardNumberText, abort: true }),
        s.refine(hasValidCheckDigit, checkDigitText),
      ),
  ),
  ccexp: s.optional(s.string(expiryText).check(s.regex(/^(?:0[1-9]|1[0-2])\d\d$/, expiryText))),
  cvv: s.optional(s.string(securityCodeText).check(s.regex(/^\d{3,4}$/, securityCodeText))),
  orderid: text(),
  order_description: text(),
  ponumber: text(),
  currency: text(),
  first_name: text(),
  last_name: text(),
  company: text(),
  country: text(),
  ipaddress: text(),
  email: text(),
  phone: text(),
  address1: text(),
  address2: text(),
  city: text(),
  state: text(),
  zip: text(),
  risk_session_id: text(),
  cardholder_auth: text(),
  cavv: token(),
  xid: token(),
  eci: text(),
  security_key: s.absent('no security_key: it comes from the securityKey option'),
});

/** Returns the names of all fields that have a meaning here. */
export function knownFieldNames(): readonly string[] {
  return ['type', 'amount', 'transactionid', 'threeDSecure', ...Object.keys(knownFields())];
}

/** Every other field is text. */
const otherFields = () => s.optional(bounded(maxLengths.other));

function paymentSchema<Amount>(amount: s.Schema<Amount>) {
  const fields = s.object({ type: bounded(maxLengths.text), amount, ...knownFields() });
  return s.catchall(fields, otherFields()).check(
    s.exactlyOne('payment_token', 'ccnumber'),
    s.refine(({ ccnumber, ccexp }) => ccnumber === undefined || ccexp !== undefined, 'ccexp with a ccnumber'),
    s.refine(
      ({ payment_token, ccexp }) => payment_token === undefined || ccexp === undefined,
      'no ccexp beside a payment_token',
    ),
  );
}

function referenceSchema<Amount>(amount: s.Schema<Amount>) {
  const transactionid = filled('the id of an earlier transaction');
  const fields = s.object({ type: s.string(), transactionid, amount, ...knownFields() });
  return s.catchall(fields, otherFields());
}

/** Any transaction: known fields have their schema, and every other one is a string. */
function anySchema(amount: s.Schema<string | undefined>) {
  const fields = s.object({ type: filled('a transaction type'), amount, ...knownFields() });
  return s.catchall(fields, otherFields());
}

/** Makes the schema of each method's parameters. */
function schemasOf({ decimals, expected }: AmountForm) {
  // Fifteen digits in all, which a number holds exactly.
  const fits = (text: string) => readDecimal(text, 15 - decimals, decimals)?.fraction.length === decimals;
  const amount = () => s.string(expected).check(s.refine(fits, { error: expected, abort: true }));
  const positive = () =>
    amount().check(s.refine((text) => /[1-9]/.test(text), 'an amount of more than zero'));
  return {
    sale: s.lazily(() => paymentSchema(positive())),
    validate: s.lazily(() => paymentSchema(s.absent('no amount, since nothing is taken'))),
    capture: s.lazily(() => referenceSchema(s.optional(positive()))),
    void: s.lazily(() => referenceSchema(s.absent('no amount, since all of it is voided'))),
    refund: s.lazily(() => referenceSchema(positive())),
    submit: s.lazily(() => anySchema(s.optional(amount()))),
  };
}

type Schemas = ReturnType<typeof schemasOf>;

/** The schemas of each form of amounts that was needed so far: there are six at most. */
const schemasByForm = /* @__PURE__ */ new Map<string, Schemas>();

/** Returns the schemas of all methods, for amounts in a currency. */
export function transactionSchemas(amounts: FormAmounts, currency: unknown): Schemas {
  const form = amounts === 'currency' ? formOfCurrency(currency) : fixedForms[amounts];
  const known = schemasByForm.get(form.expected) ?? schemasOf(form);
  schemasByForm.set(form.expected, known);
  return known;
}
