/** The input and the result of a page. */

/** The facts about the service that a page needs. A real page never gets the secret key. */
export interface Visit {
  readonly baseUrl: string;
  readonly publicKey: string;
  readonly secretKey: string;
  /** The token of a card that authenticates immediately. */
  readonly token: string;
}

/** The observations of a page. */
export interface Visited {
  /** Why the secret key was refused. */
  readonly refused: string;
  readonly hasSession: boolean;
  readonly authenticated: boolean;
}
