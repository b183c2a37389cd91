/** The secrets: keys, card data and personal data, none of which occurs by chance. Each one is searched for in every output. */

/** What a canary represents. This decides which parts of it must not be output. */
type CanaryKind = 'secret' | 'card number' | 'short digits' | 'person';

/** A value that must not be output. */
export interface Canary {
  readonly name: string;
  readonly kind: CanaryKind;
  readonly text: string;
}

export const secretKey = 'sk_v1_test_Zq7mWxHtKvKpLrPnYhJjBdRf';
/** Contains the characters that encodings escape differently, as base64 keys do. */
export const securityKey = 'Nfj+wQd/cUek&xGavT<iOszH=TbMyUk';
export const headerKey = 'gwkey-Oq.Vd~Ueb_Rm-JwxTfc';
export const proxyPassword = 'PwEqkcZtnvLuymRa';
export const webhookSecret = 'whsec_dXhXcU5pS3ZMelJ0WXBIbUdqQmZEc1dx';
export const otherWebhookSecret = 'whsec_a1RnV2JZeExwUm1RelZuSGNKc0ZkWGVN';
export const paymentToken = 'tok_RvKmYqWxZpHnTdLcFsGj';
/** Results of 3-D Secure. */
export const cavv = 'QkRmVHJqWnB4S2hOd0x2TXk=';
export const xid = 'HgWnYtLsXbVrKmPzJfDqCu==';

/** Visa, American Express and Maestro, with valid check digits. No part looks like a year or a count. */
export const cardNumbers = ['4716083927506181', '378290147058367', '6304917082640395711'] as const;
export const [cardNumber] = cardNumbers;
export const securityCode = '7392';
/** November 2078. */
export const expiry = '1178';
const trackName = 'QUENZYVALE/WOLTRUD';
export const track1 = `%B${cardNumber}^${trackName}^7811101${securityCode}?`;
export const track2 = `;${cardNumber}=7811101${securityCode}?`;

/** Personal data. */
export const person = {
  first_name: 'Woltrudis',
  last_name: 'Quenzyvale',
  email: 'woltrudis.q@quenzyvale.example',
  phone: '+15558473096',
  line1: '86 Xanthoverry Lane',
};

const secret = (name: string, text: string): Canary => ({ name, kind: 'secret', text });

/** Keys and tokens: not even a part may be output. */
const secrets: readonly Canary[] = [
  secret('secretKey', secretKey),
  secret('securityKey', securityKey),
  secret('a header with a key', headerKey),
  secret('the password of a proxy', proxyPassword),
  secret('the secret of webhooks', webhookSecret),
  secret('another secret of webhooks', otherWebhookSecret),
  secret('payment_token', paymentToken),
  secret('cavv', cavv),
  secret('xid', xid),
];

/** Data that is printed or stored on a card. */
const cards: readonly Canary[] = [
  ...cardNumbers.map((text): Canary => ({ name: `card ${text.length}`, kind: 'card number', text })),
  { name: 'security code', kind: 'short digits', text: securityCode },
  { name: 'expiry', kind: 'short digits', text: expiry },
  { name: 'name of a track', kind: 'person', text: trackName },
];

/** Data of the cardholder. */
const people: readonly Canary[] = Object.entries(person).map(([name, text]) => ({
  name,
  kind: 'person',
  text,
}));

export const everyCanary: readonly Canary[] = [...secrets, ...cards, ...people];
