import type { Outcome } from '../../base/errors.ts';
import type { CardNumbers } from '../../base/redact.ts';
import type { WebAbortSignal } from '../../base/runtime/runtime.ts';
import type { HttpMethod } from '../request/route.ts';
import type { ReceivedResponse } from '../transport/transport.ts';

/**
 * What a response means for its operation: its final result, a final result that moved no money, one that does not say whether it did, a
 * refusal that changed nothing, or unknown.
 */
export type Verdict = 'end' | 'declined' | 'errored' | 'refused' | 'unknown';

export interface RecordedContent {
  /** What is sent, without the documented card fields and the secret key. The same content means the same operation. */
  readonly content: string;
  /** Fields of the content that a retry may change, such as the buyer's address. Default: none. */
  readonly uncompared?: readonly string[] | undefined;
  /** The card number of the call, whatever its brand: other fields and the response may repeat it. Default: none. */
  readonly cardNumbers?: CardNumbers | undefined;
  /** What a person needs to look it up, where it cannot be repeated. Default: the path. */
  readonly lookUp?: Readonly<Record<string, string>> | undefined;
}

export interface Sender {
  /** The base URL: its origin, and the path before `/v1`, if any. */
  readonly origin: string;
  readonly keyOption: 'secretKey' | 'securityKey';
  readonly credential: string;
}

export interface JournaledOperation extends RecordedContent, Sender {
  /** The method that was called, for example `refunds.create`. */
  readonly operation: string;
  /** The caller's own id of it. */
  readonly operationId: string;
  /** The key that is its own among all operations. */
  readonly key: string;
  /** The fields that the method knows. Any other name may hold a secret, so no error repeats it. */
  readonly fieldNames: readonly string[];
  readonly judge: (response: ReceivedResponse) => Verdict;
  readonly method: HttpMethod;
  readonly path: string;
  readonly lookUp: Readonly<Record<string, string>>;
  /** With its question mark; empty where there is none. */
  readonly query: string;
  /** Whether the service can be asked again without a second effect. */
  readonly keyed: boolean;
  /** How long the service is assumed to remember the key, in ms. */
  readonly keyLifetime: number;
  /** The longest time that sending takes, in ms. */
  readonly timeLimit: number;
  /** Ends the wait for the journal's store. */
  readonly signal: WebAbortSignal | undefined;
  /** Writes a warning about the journal. Never throws. */
  readonly warn: (message: string) => void;
}

/** A call of an operation, as far as its record tells what became of it. */
export type OutcomeQuestion = Pick<JournaledOperation, 'operation' | 'key' | 'judge' | 'signal'>;

/** How a call failed. */
export interface CallFailure {
  /** What its own requests may have done. */
  readonly outcome: Outcome;
  /** Whether a response told what became of all earlier requests of the operation. */
  readonly endsDoubt: boolean;
}

/** An operation that is recorded, and may be sent now. Neither function throws. */
export interface Recording {
  /** Whether earlier requests of it took effect, or may have. */
  readonly hasPast: boolean;
  /** Records what its response means. Returns whether that is recorded; if not, it is tried again before the next call of the operation. */
  end(response: ReceivedResponse, verdict: Verdict): Promise<boolean>;
  /** Records that no response came, or one that is an error. Returns what is known of the operation. */
  fail(failure: CallFailure): Promise<Outcome>;
}

/** Records operations before they are sent, and their results. */
export interface CallJournal {
  /** Whose operations it records, if it has the name of an account. */
  readonly account: string | undefined;
  /**
   * Records an operation before it is sent, or returns its recorded response.
   *
   * @throws PaymentsError when the operation cannot be recorded, is in progress elsewhere, was another one, belongs to another
   * account, or must not be repeated.
   * @throws Interrupted when the signal is aborted meanwhile.
   */
  begin(operation: JournaledOperation): Promise<Recording | ReceivedResponse>;
  /**
   * Returns what is known of the operation of a call that could not be described in full. Never rejects.
   *
   * @param sender `undefined` if it is not known whose call it is.
   */
  outcomeOf(question: OutcomeQuestion, sender: Sender | undefined): Promise<Outcome>;
  /** Waits for the writes that no call waits for any more. Never rejects. */
  idle(): Promise<void>;
}
