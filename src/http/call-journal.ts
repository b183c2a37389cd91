import type { HttpMethod } from './route.ts';
import type { ReceivedResponse } from './transport/received.ts';

/** What a response means for its operation: its final result, a refusal that changed nothing, or unknown. */
type Verdict = 'end' | 'refused' | 'unknown';

/** The identity and the content of an operation. */
export interface OperationContent {
  /** The caller's own id of it. */
  readonly operationId: string;
  /** The key that is its own among all operations. */
  readonly key: string;
  /** What is sent, without the documented card fields and the secret key. The same content means the same operation. */
  readonly content: string;
  /** What a person needs to look it up, where it cannot be repeated. */
  readonly lookUp?: Readonly<Record<string, string>> | undefined;
  /** What a 2xx response means. */
  readonly judge: (response: ReceivedResponse) => Verdict;
}

/** One operation, as a journal records it. */
export interface JournaledOperation extends OperationContent {
  /** The method that was called, for example `refunds.create`. */
  readonly operation: string;
  readonly method: HttpMethod;
  /** The path with its ids. */
  readonly path: string;
  /** With its question mark; empty where there is none. */
  readonly query: string;
  /** Whether the service can be asked again without a second effect. */
  readonly keyed: boolean;
  /** The longest time that sending takes, in ms. */
  readonly timeLimit: number;
  /** Logs a problem that does not end the call. */
  readonly warn: (problem: string) => void;
}

/** Records operations before they are sent, and their results. */
export interface CallJournal {
  /**
   * Sends an operation, or returns its recorded response.
   *
   * @throws PaymentsError when the operation cannot be recorded, is in progress elsewhere, was another one, or must not be
   * repeated.
   */
  run(operation: JournaledOperation, send: () => Promise<ReceivedResponse>): Promise<ReceivedResponse>;
}
