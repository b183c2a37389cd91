/** What a buyer reads about a card. */
interface CardTexts {
  readonly card: string;
  readonly cardNumber: string;
  readonly expiry: string;
  readonly expiryHint: string;
  readonly securityCode: string;
  /** Where the code is, for a card whose brand is not known. */
  readonly codeOnCard: string;
  readonly codeOnBack: string;
  readonly codeOnFront: string;
  /** Why the card must be typed again after a mistake. */
  readonly cardNotKept: string;
  readonly wrongNumber: string;
  readonly wrongExpiry: string;
  readonly pastExpiry: string;
  readonly wrongCode: string;
}

/** What a buyer reads about the other fields. */
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

/** Why a payment was not made. */
export interface DeclineTexts {
  readonly declined: string;
  readonly insufficientFunds: string;
  readonly expiredCard: string;
  readonly processingError: string;
  readonly notConfirmed: string;
  readonly checkCanceled: string;
  readonly checkEnded: string;
}

/** What a buyer reads when the card's bank asks for a confirmation. */
interface ChallengeTexts {
  readonly title: string;
  readonly shop: string;
  readonly amount: string;
  readonly confirm: string;
  readonly fail: string;
  readonly cancel: string;
  readonly note: string;
}

/** The title and the text of a page where nothing can be paid. */
export interface ClosedTexts {
  readonly title: string;
  readonly text: string;
}

/** Everything that a buyer reads, in one language. */
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
  /** On the button while the payment is under way. */
  readonly paying: string;
  /** The title of a page with a mistake. */
  readonly error: (title: string) => string;
  /** Introduces the list of mistakes. */
  readonly mistakes: string;
  readonly recurring: (amount: string, period: string) => string;
  readonly firstPayment: (next: string) => string;
  readonly cancel: (host: string) => string;
  /** Stands before a date and a time. */
  readonly openUntil: string;
  readonly sandbox: string;
}
