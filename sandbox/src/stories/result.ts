import { isFormOperation } from '../api/operation.ts';
import { errorIn } from '../api/reply.ts';
import { parseJson } from '../base/json.ts';
import type { RecordedChange, RecordedRequest } from './entry.ts';
import { capturedBy, knownObjects, moneyOfObject, requestedMoney } from './facts.ts';
import { notesOf } from './notes.ts';
import { declineText } from './remarks.ts';
import type { Money, Note } from './story.ts';

/** What came of a request or an action. */
export interface Result {
  /** `✓`: it worked. `✗`: it failed, or the app cannot know. `↻`: the reply of an earlier request. */
  readonly mark: '✓' | '✗' | '↻';
  /** In a few words, such as `charged` or `declined: insufficient funds`. */
  readonly text: string;
}

const done = (text: string): Result => ({ mark: '✓', text });
const failed = (text: string): Result => ({ mark: '✗', text });

const failures: readonly Note[] = ['3-D Secure failed', 'refund failed'];

/** The states of a new object that wait for somebody. */
const waiting: readonly string[] = ['pending', 'challenge required'];

function changeText({ before, after }: RecordedChange): string {
  const status = String(after?.['status'] ?? '').replaceAll('_', ' ');
  if (before === null) return waiting.includes(status) ? status : 'created';
  return status !== '' && after?.['status'] !== before['status'] ? status : 'done';
}

/** Returns what some changes did; `undefined` if there are none. */
export function effectOf(changes: readonly RecordedChange[]): Result | undefined {
  if (changes.some(capturedBy)) return done('charged');
  const declined = declineText({ objects: knownObjects(changes) });
  if (declined !== undefined) return failed(declined);
  const [note] = notesOf(changes, []);
  if (note !== undefined) return failures.includes(note) ? failed(note) : done(note);
  const main = changes.find(({ before }) => before === null) ?? changes[0];
  return main && done(changeText(main));
}

/** Returns the code of an error reply, after a blank; an empty text without one. */
function errorCode(body: string | null): string {
  const { code } = errorIn(parseJson(body ?? ''));
  return code === undefined ? '' : ` ${code}`;
}

/** Returns why a form was refused; `undefined` if it was not. A form is always answered with 200. */
function formRefusal({ operation, reply }: RecordedRequest): string | undefined {
  if (!isFormOperation(operation)) return undefined;
  const form = new URLSearchParams(reply?.body ?? '');
  if ((form.get('response') ?? '1') === '1') return undefined;
  return `refused: ${(form.get('responsetext') ?? '').toLowerCase()}`;
}

/** Returns what came of a request. */
export function resultOf(request: RecordedRequest, changes: readonly RecordedChange[]): Result {
  const { source, arrived, reply, replayed } = request;
  const effect = effectOf(changes);
  const also = effect === undefined ? '' : ` (${effect.text})`;
  if (reply === null) return failed(`request lost${also}`);
  if (!arrived) return failed(`reply lost${replayed ? ' (replayed)' : also}`);
  if (replayed) return { mark: '↻', text: 'replayed' };
  const { status, body } = reply;
  if (status === 402) return failed(effect?.text ?? 'declined');
  if (status >= 400) return failed(`${status}${errorCode(body)}${also}`);
  const refusal = effect === undefined ? formRefusal(request) : undefined;
  if (refusal !== undefined) return failed(refusal);
  return effect ?? done(source === 'buyer' ? 'done' : String(status));
}

/**
 * Returns the amount that some changes, or else their request, are about; `null` if none is known.
 *
 * @param usual The amount of the order.
 */
export function moneyOf(
  request: RecordedRequest | undefined,
  changes: readonly RecordedChange[],
  usual: Money | null,
): Money | null {
  const created = new Set(changes.filter(({ before }) => before === null).map(({ object }) => object.id));
  const objects = knownObjects(changes);
  const inOrder = [
    ...objects.filter(({ id }) => created.has(id)),
    ...objects.filter(({ id }) => !created.has(id)),
  ];
  const changed = inOrder.map(moneyOfObject).find((money) => money !== null);
  if (changed !== undefined) return changed;
  if (request === undefined || request.method === 'GET') return null;
  return requestedMoney(request, usual?.currency) ?? usual;
}
