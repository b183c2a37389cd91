import type { Entry, RecordedChange, RecordedRequest } from './entry.ts';
import type { CapturedPayment } from './facts.ts';
import type { Note } from './story.ts';

function notesOfRequest({ source, method, arrived, reply, replayed }: RecordedRequest): readonly Note[] {
  if (source !== 'app' || method === 'GET') return [];
  if (!arrived) return [reply === null ? 'request lost' : 'reply lost'];
  if (replayed) return ['replayed'];
  const status = reply?.status ?? 0;
  if (status >= 500) return ['server error'];
  // The charge shows a decline.
  return status >= 400 && status !== 402 ? ['refused'] : [];
}

/** The note for each state that an object enters. */
const notesOfStates: Readonly<Record<string, Note>> = {
  'authentication failed': '3-D Secure failed',
  'charge failed': 'declined',
  'transaction declined': 'declined',
  'transaction authorized': 'authorized',
  'transaction voided': 'canceled',
  'transaction expired': 'expired',
  'payment_intent requires_capture': 'authorized',
  'payment_intent canceled': 'canceled',
  'checkout_session expired': 'expired',
  'subscription canceled': 'canceled',
  'subscription past_due': 'past due',
  'refund failed': 'refund failed',
  'invoice uncollectible': 'uncollectible',
};

function stateNote({ object, before, after }: RecordedChange): readonly Note[] {
  const state = after?.['status'];
  if (state === before?.['status']) return [];
  const note = notesOfStates[`${object.kind} ${String(state)}`];
  return note === undefined ? [] : [note];
}

/** Returns the note of a successful refund, by the charge's refunded amount now. */
function refundNote(
  { object, before, after }: RecordedChange,
  captured: readonly CapturedPayment[],
): readonly Note[] {
  const isSuccess = object.kind === 'refund' && after?.['status'] === 'succeeded';
  const isFormRefund =
    object.kind === 'transaction' && before?.['refunded'] !== after?.['refunded'] && before !== null;
  if (!isFormRefund && (!isSuccess || before?.['status'] === 'succeeded')) return [];
  const charge = captured.find(({ id }) => id === (isFormRefund ? object.id : after?.['charge_id']));
  return [charge !== undefined && charge.refunded < charge.amount ? 'partly refunded' : 'refunded'];
}

function notesOfChange(change: RecordedChange, captured: readonly CapturedPayment[]): readonly Note[] {
  if (change.object.kind === 'chargeback') return ['disputed'];
  return [...stateNote(change), ...refundNote(change, captured)];
}

/** Returns the notes of an order, each once, in order of time. */
export function notesOf(entries: readonly Entry[], captured: readonly CapturedPayment[]): readonly Note[] {
  const all = entries.flatMap((entry) => {
    if (entry.kind === 'request') return notesOfRequest(entry);
    if (entry.kind === 'change') return notesOfChange(entry, captured);
    return entry.kind === 'delivery' && entry.attempt > 1 ? ['webhook retried' as const] : [];
  });
  return [...new Set(all)];
}
