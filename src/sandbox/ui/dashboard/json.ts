import { el } from './element.ts';

/** The kinds of objects by the prefix of their ids, for links. Most payment methods are ids alone, so they have none. */
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

/** The address of the object with an id; `undefined` for an id of none that is shown. */
export function addressOf(id: string): string | undefined {
  const [, prefix = ''] = /^([a-z]+)_\w+$/.exec(id) ?? [];
  if (prefix === 'evt') return `#/events/${id}`;
  const kind = kinds[prefix];
  return kind === undefined ? undefined : `#/objects/${kind}/${id}`;
}

/** Fields whose values open something: whoever looks at a screen needs none of them. */
const secret: readonly string[] = ['secret', 'previous_secrets', 'client_secret', 'key'];

function withoutSecrets(name: string, value: unknown): unknown {
  return secret.includes(name) ? '(not shown)' : value;
}

/** A value as JSON, whose ids are links. */
export function jsonOf(value: unknown): HTMLElement {
  const parts = JSON.stringify(value, withoutSecrets, 2).split(/("[a-z]+_\w+")/);
  const nodes = parts.map((part) => {
    const id = part.slice(1, -1);
    const href = part.startsWith('"') ? addressOf(id) : undefined;
    return href === undefined ? part : el('span', {}, '"', el('a', { href }, id), '"');
  });
  return el('pre', { tabIndex: 0, role: 'region', ariaLabel: 'JSON' }, ...nodes);
}
