import * as z from 'zod/mini';

/** What every transaction may carry. All fields are *shown*; which are required is not. */
export interface TransactionFields {
  /** The buyer's IP address; it feeds geolocation and velocity rules. */
  readonly ipaddress?: string | undefined;
  /** The buyer's e-mail address; it feeds fraud scoring. */
  readonly email?: string | undefined;
  /** The buyer's phone number. */
  readonly phone?: string | undefined;
  /** The first line of the billing address; it feeds AVS. */
  readonly address1?: string | undefined;
  /** The billing city; it feeds AVS. */
  readonly city?: string | undefined;
  /** The billing state; it feeds AVS. */
  readonly state?: string | undefined;
  /** The billing ZIP code; it feeds AVS. */
  readonly zip?: string | undefined;
  /** The session id of the browser's device-data collection. */
  readonly risk_session_id?: string | undefined;
  /** The 3-D Secure result's `cardholder_auth`. */
  readonly cardholder_auth?: string | undefined;
  /** The 3-D Secure result's `cavv`. */
  readonly cavv?: string | undefined;
  /** The 3-D Secure result's `xid`. */
  readonly xid?: string | undefined;
  /** The 3-D Secure result's `eci`. */
  readonly eci?: string | undefined;
}

/** Pays with a token of the card-field script, so that no card number reaches your server. */
export interface PaysByToken {
  /** The token; used once. */
  readonly payment_token: string;
  /** Left out: the token stands for the card. */
  readonly ccnumber?: undefined;
  /** Left out: the token stands for the card. */
  readonly ccexp?: undefined;
  /** Left out: the token stands for the card. */
  readonly cvv?: undefined;
}

/** Pays with a card number. Your server must be allowed to handle one. */
export interface PaysByCard {
  /** The card number, digits only. */
  readonly ccnumber: string;
  /** The expiry, `MMYY` (*inferred*). */
  readonly ccexp: string;
  /** The security code, 3 or 4 digits. */
  readonly cvv?: string | undefined;
  /** Left out: the card is given. */
  readonly payment_token?: undefined;
}

/** What a sale is made from. */
export type SaleParams = TransactionFields &
  (PaysByToken | PaysByCard) & {
    /** What to take, a decimal string such as `12.00`, more than zero. */
    readonly amount: string;
  };

/** What any transaction is made from: a type, and the fields that this type takes. */
export type SubmitParams = Readonly<Record<string, string | undefined>> & {
  /** The kind of transaction; `sale` is *shown*, the other kinds are not. */
  readonly type: string;
};

const amountText = "a decimal string such as '12.00'";
const amount = () => z.string(amountText).check(z.regex(/^\d{1,12}(?:\.\d{1,4})?$/, amountText));
const positiveAmount = () =>
  amount().check(z.refine((text) => /[1-9]/.test(text), 'a decimal string of more than zero'));

const cardNumberText = 'a card number of 12 to 19 digits';
const expiryText = "an expiry such as '0129' (MMYY)";
const securityCodeText = 'a security code of 3 or 4 digits';

const text = () => z.optional(z.string());

/** The fields that are checked wherever they occur. */
const knownFields = {
  payment_token: z.optional(z.string().check(z.minLength(1, 'a payment token'))),
  ccnumber: z.optional(z.string(cardNumberText).check(z.regex(/^\d{12,19}$/, cardNumberText))),
  ccexp: z.optional(z.string(expiryText).check(z.regex(/^(?:0[1-9]|1[0-2])\d\d$/, expiryText))),
  cvv: z.optional(z.string(securityCodeText).check(z.regex(/^\d{3,4}$/, securityCodeText))),
  ipaddress: text(),
  email: text(),
  phone: text(),
  address1: text(),
  city: text(),
  state: text(),
  zip: text(),
  risk_session_id: text(),
  cardholder_auth: text(),
  cavv: text(),
  xid: text(),
  eci: text(),
};

const securityKeyText = 'no security_key: it comes from the securityKey option';

/** Any transaction: known fields are what they should be, and every other one is a string. */
export const submitSchema = z.catchall(
  z.object({
    type: z.string().check(z.minLength(1, 'a transaction type')),
    security_key: z.optional(z.undefined(securityKeyText)),
    amount: z.optional(amount()),
    ...knownFields,
  }),
  z.optional(z.string()),
);

/** A sale. */
export const saleSchema = z
  .catchall(
    z.object({
      type: z.literal('sale'),
      security_key: z.optional(z.undefined(securityKeyText)),
      amount: positiveAmount(),
      ...knownFields,
    }),
    z.optional(z.string()),
  )
  .check(
    z.refine(
      ({ payment_token, ccnumber }) => (payment_token === undefined) !== (ccnumber === undefined),
      'either payment_token or ccnumber',
    ),
    z.refine(({ ccnumber, ccexp }) => ccnumber === undefined || ccexp !== undefined, 'ccexp with a ccnumber'),
  );
