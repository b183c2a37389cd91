import type { KnownCard, PaymentToken } from '../domain/records/form-records.ts';
import type { State } from '../domain/state.ts';
import { refuse } from './refusal.ts';

/** The lifetime of a payment token, in milliseconds. The interface does not show it. */
const lifetime = 15 * 60 * 1000;

/** Creates a token for a card. */
export function addToken({ ids, clock, objects }: State, card: KnownCard): PaymentToken {
  const id = ids.next('tok');
  return objects.payment_token.add({ id, card, expiresAt: clock.now() + lifetime, used: false });
}

/** Returns a usable token; `undefined` if the sandbox did not create it. */
export function usableToken({ objects, clock }: State, id: string): PaymentToken | undefined {
  const token = objects.payment_token.get(id);
  if (token?.used === true) refuse('The payment_token was used before: expected a new one');
  if (token !== undefined && clock.now() >= token.expiresAt) {
    refuse('The payment_token has expired: expected one that is less than 15 minutes old');
  }
  return token;
}

/** Marks a token as used. */
export function redeemToken(state: State, id: string): void {
  const token = usableToken(state, id);
  if (token !== undefined) state.objects.payment_token.replace({ ...token, used: true });
}
