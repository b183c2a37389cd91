import type { CheckoutSession } from '../../../resources/checkout-sessions.ts';
import type { Language } from '../languages/language-of.ts';
import { moneyWriter } from './amount-text.ts';

/** What each page of a session shows its buyer. */
export interface BuyerView {
  readonly session: CheckoutSession;
  /** The language of the page. */
  readonly language: Language;
  /** The name of the shop. */
  readonly merchantName: string;
  /** The time, in milliseconds since 1970. */
  readonly now: number;
}

/** Writes the session's amounts in the page's language. */
export function moneyOf({ session, language }: BuyerView): (amount: number) => string {
  return moneyWriter(session.currency, language);
}

/** What the buyer does, and for how much, as the button says it. */
export function purposeOf(view: BuyerView): string {
  const { session, language } = view;
  const amount = moneyOf(view)(session.amount_total);
  const { pay, subscribe } = language.texts;
  return session.mode === 'subscription' ? subscribe(amount) : pay(amount);
}
