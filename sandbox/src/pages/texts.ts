/** The texts that a buyer reads. */
export const texts = {
  card: 'Card',
  cardNumber: 'Card number',
  expiry: 'Expiry',
  expiryHint: 'Month and year: 12/30',
  securityCode: 'Security code',
  /** Where to find the security code, for a card of unknown brand. */
  codeOnCard: '3 or 4 digits on the card',
  codeOnBack: '3 digits on the back',
  codeOnFront: '4 digits on the front',
  /** Why the card must be typed again after an error. */
  cardNotKept: 'Card details are not stored. Enter them again.',
  wrongNumber: 'This card number is not valid. Check it and try again.',
  declinedElsewhere: (instead: string) => `Another service declines this test number. Use ${instead}.`,
  wrongExpiry: 'Enter the month and the year, such as 12/30.',
  pastExpiry: 'This card has expired. Check the date, or use another card.',
  wrongCode: 'Enter the 3 or 4 digits of the security code.',
  contact: 'Contact',
  name: 'Name',
  email: 'E-mail',
  phone: 'Phone',
  billingAddress: 'Billing address',
  shippingAddress: 'Shipping address',
  sameAddress: 'Same as the billing address',
  line1: 'Street and number',
  line2: 'Flat, floor, company',
  city: 'City',
  state: 'State or region',
  postalCode: 'Postal code',
  country: 'Country',
  chooseCountry: 'Choose a country',
  optional: '(optional)',
  missing: (label: string) => `Enter your ${label.toLowerCase()}.`,
  wrongEmail: 'Enter an e-mail address, such as ada@example.com.',
  wrongPhone: 'Enter a phone number, such as +1 202 555 0100.',
  declines: {
    declined: 'Your card was declined. Try another card.',
    insufficientFunds: 'Your card has insufficient funds. Try another card.',
    expiredCard: 'Your card has expired. Try another card.',
    processingError: 'The payment failed, and you were not charged. Try again, or use another card.',
    notConfirmed: 'Your bank could not verify you, and you were not charged. Try again, or use another card.',
    checkCanceled:
      'You canceled your bank’s verification, and you were not charged. Try again, or use another card.',
    checkEnded: 'Your bank’s verification has expired, and you were not charged. Enter your card again.',
  },
  challenge: {
    title: 'Your bank asks you to confirm',
    shop: 'Shop',
    amount: 'Amount',
    passed: 'Confirm payment',
    failed: 'Fail the verification',
    unanswered: 'Cancel',
    note: 'Sandbox: no money moves. This page simulates your bank.',
  },
  paid: { title: 'Paid', text: 'Thank you. Your payment is complete.' },
  expired: {
    title: 'Expired',
    text: 'This checkout has expired, and you were not charged. Start again in the shop.',
  },
  unknown: {
    title: 'Not found',
    text: 'This checkout does not exist. Check the address, or start again in the shop.',
  },
  goTo: (host: string) => `Go to ${host}`,
  checkout: 'Checkout',
  order: 'Your order',
  total: 'Total',
  payment: 'Payment',
  pay: (amount: string) => `Pay ${amount}`,
  subscribe: (amount: string) => `Subscribe for ${amount}`,
  /** The button's text while the payment is being sent. */
  paying: 'Paying…',
  /** The title of a page with an error. */
  error: (title: string) => `Error: ${title}`,
  /** Introduces the list of errors. */
  mistakes: 'Please correct the following:',
  recurring: (amount: string, days: number) => `${amount} every ${days} days, until you cancel`,
  firstPayment: (next: string) => `You pay today, and again on ${next}.`,
  cancel: (host: string) => `Cancel and go back to ${host}`,
  /** Precedes a date and a time. */
  openUntil: 'You can pay here until',
  sandbox: 'Sandbox: no money moves.',
};

/** The names of the messages of failed payments. */
export type Decline = keyof typeof texts.declines;
