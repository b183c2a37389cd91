/** The meaning of a state, which its colour shows. */
export type Tone = 'good' | 'warn' | 'bad' | 'info' | 'plain';

const tones: Readonly<Record<string, Tone>> = {
  succeeded: 'good',
  paid: 'good',
  complete: 'good',
  active: 'good',
  delivered: 'good',
  approved: 'good',
  settled: 'good',
  won: 'good',
  enabled: 'good',
  issued: 'good',
  open: 'info',
  created: 'info',
  draft: 'info',
  trialing: 'info',
  processing: 'info',
  requires_capture: 'info',
  requires_payment_method: 'info',
  requires_confirmation: 'info',
  requires_action: 'info',
  pending: 'warn',
  past_due: 'warn',
  unpaid: 'warn',
  incomplete: 'warn',
  disputed: 'warn',
  refunded: 'warn',
  partially_refunded: 'warn',
  failed: 'bad',
  declined: 'bad',
  dropped: 'bad',
  uncollectible: 'bad',
  lost: 'bad',
};

/** Returns the meaning of a state; `plain` if it is unknown. */
export function toneOfState(state: string): Tone {
  return Object.hasOwn(tones, state) ? (tones[state] ?? 'plain') : 'plain';
}

/** Returns the meaning of an HTTP status; a missing status is bad. */
export function toneOfStatus(status: number | null): Tone {
  if (status === null || status >= 500) return 'bad';
  return status < 400 ? 'good' : 'warn';
}
