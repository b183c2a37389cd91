/** Texts of the card fields. */
interface CardTexts {
  readonly card: string;
  readonly cardNumber: string;
  readonly expiry: string;
  readonly expiryHint: string;
  readonly securityCode: string;
  /** Where to find the security code, for a card of unknown brand. */
  readonly codeOnCard: string;
  readonly codeOnBack: string;
  readonly codeOnFront: string;
  /** Why the card must be typed again after an error. */
  readonly cardNotKept: string;
  readonly wrongNumber: string;
  readonly wrongExpiry: string;
  readonly pastExpiry: string;
  readonly wrongCode: string;
}

/** Texts of the other fields. */
interface FieldTexts {
  readonly contact: string;
  readonly name: string;
  readonly email: string;
  readonly phone: string;
  readonly billingAddress: string;
  readonly shippingAddress: string;
  readonly line1: string;
  readonly line2: string;
  readonly city: string;
  readonly state: string;
  readonly postalCode: string;
  readonly country: string;
  readonly chooseCountry: string;
  readonly optional: string;
  readonly missing: (label: string) => string;
  readonly wrongEmail: string;
  readonly wrongPhone: string;
}

/** Messages of failed payments. */
export interface DeclineTexts {
  readonly declined: string;
  readonly insufficientFunds: string;
  readonly expiredCard: string;
  readonly processingError: string;
  readonly notConfirmed: string;
  readonly checkCanceled: string;
  readonly checkEnded: string;
}

/** Texts of the issuer's challenge. */
interface ChallengeTexts {
  readonly title: string;
  readonly shop: string;
  readonly amount: string;
  readonly confirm: string;
  readonly fail: string;
  readonly cancel: string;
  readonly note: string;
}

/** The title and text of a page that takes no payment. */
export interface ClosedTexts {
  readonly title: string;
  readonly text: string;
}

/** All texts that a buyer reads, in one language. */
export interface Texts extends CardTexts, FieldTexts {
  readonly declines: DeclineTexts;
  readonly challenge: ChallengeTexts;
  readonly paid: ClosedTexts;
  readonly expired: ClosedTexts;
  readonly unknown: ClosedTexts;
  readonly goTo: (host: string) => string;
  readonly checkout: string;
  readonly order: string;
  readonly total: string;
  readonly payment: string;
  readonly pay: (amount: string) => string;
  readonly subscribe: (amount: string) => string;
  /** The button's text while the payment is being sent. */
  readonly paying: string;
  /** The title of a page with an error. */
  readonly error: (title: string) => string;
  /** Introduces the list of errors. */
  readonly mistakes: string;
  readonly recurring: (amount: string, period: string) => string;
  readonly firstPayment: (next: string) => string;
  readonly cancel: (host: string) => string;
  /** Precedes a date and a time. */
  readonly openUntil: string;
  readonly sandbox: string;
}
