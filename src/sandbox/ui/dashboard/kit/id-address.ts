/** Object kinds by id prefix. Most payment methods exist only as ids, so they have no page. */
const kinds: Readonly<Record<string, string>> = {
  cs: 'checkout_session',
  pi: 'payment_intent',
  ch: 'charge',
  rf: 'refund',
  inv: 'invoice',
  sub: 'subscription',
  cn: 'credit_note',
  cus: 'customer',
  tmb: 'terminal_batch',
  we: 'webhook_endpoint',
  price: 'price',
  prod: 'product',
  tmr: 'terminal',
  stlp: 'settlement_profile',
  key: 'api_key',
  acct: 'account',
  conn: 'connection',
  alnk: 'account_link',
};

/** Returns the page of an object or event by its id; `undefined` if it has none. */
export function addressOf(id: string): string | undefined {
  const [, prefix = ''] = /^([a-z]+)_\w+$/.exec(id) ?? [];
  if (prefix === 'evt') return `#/events/${id}`;
  const kind = kinds[prefix];
  return kind === undefined ? undefined : `#/objects/${kind}/${id}`;
}
