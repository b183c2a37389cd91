/** What a page is told, and what it says. */

/** What a page needs to know of the service. A real one is never told the secret key. */
export interface Visit {
  readonly baseUrl: string;
  readonly publicKey: string;
  readonly secretKey: string;
  /** Stands for a card whose holder is authenticated at once. */
  readonly token: string;
}

/** What a page saw. */
export interface Visited {
  /** Why the secret key was refused. */
  readonly refused: string;
  readonly hasSession: boolean;
  readonly authenticated: boolean;
}
