/** The input and the result of a page. */

/** The data that a page needs to use the service. A real page never gets the secret key. */
export interface VisitInput {
  readonly baseUrl: string;
  readonly publicKey: string;
  readonly secretKey: string;
  /** The token of a card that authenticates immediately. */
  readonly token: string;
}

export interface VisitResult {
  /** Why the secret key was refused. */
  readonly refused: string;
  readonly hasSession: boolean;
  readonly authenticated: boolean;
}
