import type { DeviceSession, KnownCard, PaymentToken } from '../domain/records/records.ts';
import type { State } from '../domain/state.ts';
import { timings } from '../domain/timings.ts';
import { refuse } from './refusal.ts';

export function addToken({ ids, clock, objects }: State, card: KnownCard): PaymentToken {
  const id = ids.next('tok');
  return objects.payment_token.add({ id, card, expiresAt: clock.now() + timings.tokenExpires, used: false });
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

export function redeemToken(state: State, id: string): void {
  const token = usableToken(state, id);
  if (token !== undefined) state.objects.payment_token.replace({ ...token, used: true });
}

export function addDeviceSession({ ids, clock, objects }: State): DeviceSession {
  return objects.device_session.add({ id: ids.next('rs'), createdAt: clock.now() });
}
