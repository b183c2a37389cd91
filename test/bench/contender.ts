/** One library that is measured: what it can do, against a server of which it knows the URL. */
export interface Contender {
  /** Makes one payment, with an idempotency key of its own. */
  readonly create: () => Promise<unknown>;
  /** Every record of a long list, in requests of 100. */
  readonly list?: () => AsyncIterable<unknown>;
}

/** Makes a contender whose requests go to this server. */
export type Connect = (url: string) => Contender;

/** The libraries, ours first, and below them the bare clients as the limit. */
export const contenderNames = [
  'payments-client',
  'stripe',
  'openai',
  'square',
  'undici',
  'node:http',
] as const;

export type ContenderName = (typeof contenderNames)[number];
