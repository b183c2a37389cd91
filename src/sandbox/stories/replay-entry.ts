/** The fields that all entries have. */
interface Numbered {
  /** The number of the entry, counted from 1. `@2.refund` is the id of the refund that entry 2 made. */
  readonly n: number;
  /** How far a running clock moved since the entry before, in milliseconds. Default: 0. */
  readonly after?: number | undefined;
}

/** A request to the service. */
export interface ReplayRequest extends Numbered {
  /** The method and the path, with the query if there is one: `POST /v1/refunds`. */
  readonly request: string;
  /** The idempotency key. Default: none. */
  readonly key?: string | undefined;
  /** The body: an object is sent as JSON, a text unchanged. */
  readonly body?: unknown;
  /**
   * The fields of a form, instead of `body`. `[card:fullMatch]` is a new token for a test card, or its number in
   * `ccnumber`.
   */
  readonly form?: Readonly<Record<string, string>> | undefined;
  /** How the form is encoded. Default: url-encoded. */
  readonly encoding?: 'multipart' | undefined;
  /** Who sent it: the app, or a person with a button of the dashboard. Default: the app. */
  readonly from?: 'dashboard' | undefined;
  /** The recorded status of the response; `null` if the app got no whole response. */
  readonly status: number | null;
}

/** An action on the sandbox itself. */
export interface ReplayCommand extends Numbered {
  /** Its name, such as `pay`. */
  readonly command: string;
  /** Its arguments. */
  readonly args: Readonly<Record<string, unknown>>;
}

/** What the buyer did on the page of a checkout session. */
export interface ReplayPage extends Numbered {
  /** The id of the session. */
  readonly page: string;
  /** The test card that the buyer typed. */
  readonly card?: string | undefined;
  /** The 3-D Secure challenge that the buyer answered, instead of `card`. */
  readonly challenge?: string | undefined;
  /** The answer to the challenge: `passed`, `failed` or `unanswered`. */
  readonly answer?: string | undefined;
  /** The recorded status of the response: 303 after a payment, 402 after a decline. */
  readonly status: number;
}

/** A webhook endpoint. */
export interface ReplayEndpoint extends Numbered {
  /** The event types that it subscribes to. */
  readonly endpoint: readonly string[];
  /** The statuses that it responds with, by event type and in order; 0 stands for no response. Default: 200. */
  readonly responses: Readonly<Record<string, readonly number[]>>;
}

/** One thing to replay, in the order of a recording. It is plain data. */
export type ReplayEntry = ReplayRequest | ReplayCommand | ReplayPage | ReplayEndpoint;
