/** What a journal knows of an operation: what was sent, and whether money may have moved. */

import * as s from '../base/schema/schema.ts';
import type { CallFailure } from '../http/past/call-journal.ts';
import type { Account } from './account.ts';
import type { Withheld } from './errors.ts';

/**
 * The state of an operation. `planned`: not sent yet. `running`: being sent, or its process died. `unknown`: it may
 * have taken effect. `refused`: rejected, and nothing moved. `done`: the outcome is known. `settled`: closed manually.
 */
type State = 'planned' | 'running' | 'unknown' | 'refused' | 'done' | 'settled';

/** The journal's record of an operation. */
export interface OperationRecord extends Account {
  readonly version: 1;
  readonly operation: string;
  readonly operationId: string;
  /** The token of the claim that created it: no other record is equal to it. */
  readonly claim: string;
  readonly method: string;
  /** The path, including ids, but without card numbers. */
  readonly path: string;
  /** The digest of method, path, query and content, without card data, so that no card number can be found from it. */
  readonly digest: string;
  /** The query with its question mark, encrypted if there is a key; absent if there is none, or only the digest is kept. */
  readonly query?: string | undefined;
  /** The content to send, encrypted if there is a key; absent if only the digest is kept. */
  readonly content?: string | undefined;
  /** Why only the digest is kept, although the journal keeps parameters. */
  readonly withheld?: Withheld | undefined;
  /** Whether the request can be repeated without a second effect, as a POST with an idempotency key can. */
  readonly keyed: boolean;
  readonly state: State;
  /** Whether it was planned: then it stays open until it is done or closed manually. */
  readonly isPlanned?: boolean | undefined;
  /** When it was first sent, or planned, in ms since 1970. */
  readonly startedAt: number;
  /** Fields for looking it up, never encrypted. */
  readonly lookUp: Readonly<Record<string, string>>;
  /** The status of the final response. */
  readonly status?: number | undefined;
  /** The body of that response without card data, encrypted if there is a key. */
  readonly result?: string | undefined;
}

export const recordSchema: s.Schema<OperationRecord> = /* @__PURE__ */ s.lazily(() =>
  s.object({
    version: s.literal(1),
    operation: s.string(),
    operationId: s.string(),
    claim: s.string(),
    origin: s.string(),
    mode: s.literal(['test', 'live', 'unknown']),
    credential: s.string(),
    method: s.string(),
    path: s.string(),
    digest: s.string(),
    query: s.optional(s.string()),
    content: s.optional(s.string()),
    withheld: s.optional(s.literal(['card_data', 'personal_data'])),
    keyed: s.boolean(),
    state: s.literal(['planned', 'running', 'unknown', 'refused', 'done', 'settled']),
    isPlanned: s.optional(s.boolean()),
    startedAt: s.number(),
    lookUp: s.record(s.string()),
    status: s.optional(s.number()),
    result: s.optional(s.string()),
  }),
);

/** Returns the record of an operation of which nothing was sent, or nothing moved. */
export function asRefused(record: OperationRecord): OperationRecord {
  return { ...record, state: 'refused', isPlanned: undefined };
}

/** The states of an operation whose outcome is not known. */
export function isOpenState(state: State): state is 'planned' | 'running' | 'unknown' {
  return state === 'planned' || state === 'running' || state === 'unknown';
}

/** Whether an earlier request of an operation may have taken effect. */
export function mayHaveActed({ state }: OperationRecord): boolean {
  return state !== 'refused' && state !== 'planned';
}

/** How far the clocks of two processes may differ, in ms. */
const clockTolerance = 600_000;

/**
 * Whether a second request could act twice: it has no key, or one that the service may have forgotten. The age of an
 * operation that starts in the future is unknown: a clock was wrong, or still is.
 */
export function couldActTwice(
  { keyed, startedAt }: OperationRecord,
  now: number,
  keyLifetime: number,
): boolean {
  const age = now - startedAt;
  return !keyed || age < -clockTolerance || age > keyLifetime;
}

/** The caller sees a rejection. A planned operation may have no caller, so it stays open. */
function refusedState({ isPlanned }: OperationRecord): 'planned' | 'refused' {
  return isPlanned === true ? 'planned' : 'refused';
}

/**
 * Returns the state of an operation whose call failed. After an earlier request most rejections prove nothing: the service may reject a
 * request before it checks the key. A decline and a replay happen after that check.
 *
 * @param wasSent Whether an earlier request may have taken effect.
 */
export function stateAfter(
  record: OperationRecord,
  wasSent: boolean,
  { outcome, endsDoubt }: CallFailure,
): State {
  return outcome === 'not_executed' && (endsDoubt || !wasSent) ? refusedState(record) : 'unknown';
}
