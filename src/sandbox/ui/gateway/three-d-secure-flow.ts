import { fieldOf } from '../frames/field.ts';
import { type Callback, checkCallback, invokeLater, logError } from './callback.ts';
import { askBuyer } from './challenge-dialog.ts';
import type { Service } from './service.ts';

const name = 'Gateway.get3DSecure()';

/** The argument of the page's callback. */
export interface AuthenticationResult {
  readonly authenticated: unknown;
  readonly cardholder_auth: unknown;
  readonly cavv: unknown;
  readonly xid: unknown;
  readonly eci: unknown;
}

/** The result for every failure: the callback has no other way to report one. */
const failure: AuthenticationResult = {
  authenticated: false,
  cardholder_auth: 'U',
  cavv: null,
  xid: null,
  eci: null,
};

function toText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

function readResult(result: unknown): AuthenticationResult {
  return {
    authenticated: fieldOf(result, 'authenticated'),
    cardholder_auth: fieldOf(result, 'cardholder_auth'),
    cavv: fieldOf(result, 'cavv'),
    xid: fieldOf(result, 'xid'),
    eci: fieldOf(result, 'eci'),
  };
}

/** The 3-D Secure service of the script. */
export class ThreeDSecure {
  readonly #service: Service;
  readonly #apiKey: string;
  #order: { readonly amount: string; readonly currency: string } | undefined;

  constructor(service: Service, apiKey: string) {
    this.#service = service;
    this.#apiKey = apiKey;
  }

  /** Sets the payment details: the challenge shows the amount and the currency. */
  configure(order: unknown): void {
    const amount = toText(fieldOf(order, 'amount'));
    const currency = toText(fieldOf(order, 'currency'));
    if (amount === '' || currency === '') {
      throw new TypeError(`${name}.configure: expected amount and currency, got one or none. Pass both.`);
    }
    this.#order = { amount, currency };
  }

  /** Runs 3-D Secure for a token, and calls back once. */
  authenticate(token: unknown, callback: Callback<AuthenticationResult>): void {
    checkCallback(`${name}.authenticate`, callback);
    void this.#authenticate(token)
      .catch((error: unknown) => {
        logError(`${name}.authenticate`, error);
        return failure;
      })
      .then((result) => invokeLater(callback, result));
  }

  async #authenticate(token: unknown): Promise<AuthenticationResult> {
    const order = this.#order;
    if (order === undefined) throw new Error('expected a call of configure first, got none. Call configure.');
    const first = await this.#post({ token: toText(token) });
    const id = fieldOf(first, 'challenge');
    if (typeof id !== 'string') return readResult(fieldOf(first, 'result'));
    const address = this.#service.address('browser/challenge');
    address.search = new URLSearchParams({ id, ...order }).toString();
    const answer = await askBuyer(address);
    return readResult(fieldOf(await this.#post({ challenge: id, answer }), 'result'));
  }

  #post(fields: Readonly<Record<string, string>>): Promise<unknown> {
    return this.#service.post('browser/authentications', { apiKey: this.#apiKey, ...fields });
  }
}
