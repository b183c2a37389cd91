import type { CheckoutSession } from '../../../resources/checkout-sessions.ts';
import type { Language } from '../languages/language-of.ts';
import { moneyWriter } from './amount-text.ts';

/** The data that every page of a session shows. */
export interface BuyerView {
  readonly session: CheckoutSession;
  /** The language of the page. */
  readonly language: Language;
  /** The shop's name. */
  readonly merchantName: string;
  /** The time, in milliseconds since 1970. */
  readonly now: number;
}

/** Returns a function that formats the session's amounts in the page's language. */
export function moneyOf({ session, language }: BuyerView): (amount: number) => string {
  return moneyWriter(session.currency, language);
}

/** Returns the label of the pay button: what the buyer does, and the amount. */
export function purposeOf(view: BuyerView): string {
  const { session, language } = view;
  const amount = moneyOf(view)(session.amount_total);
  const { pay, subscribe } = language.texts;
  return session.mode === 'subscription' ? subscribe(amount) : pay(amount);
}
