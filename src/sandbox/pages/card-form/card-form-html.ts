import { html } from 'hono/html';
import { type CardDetails, isCardNumber } from '../../transact/card-reader.ts';
import { readField } from '../../transact/form-request.ts';
import type { Html } from '../page.ts';
import { texts } from '../texts.ts';
import { isCodeOf } from './card-brand.ts';
import { readExpiry, writeExpiry } from './card-expiry.ts';
import { type Field, field } from './form-field.ts';

/** The error message of each wrong field, as the buyer reads it. */
export type Problems = Readonly<Record<string, string>>;

/** The fields of a card in display order. */
const cardFields: readonly Field[] = [
  {
    name: 'ccnumber',
    label: texts.cardNumber,
    autocomplete: 'cc-number',
    isNumeric: true,
    flaws: { missing: texts.wrongNumber },
  },
  {
    name: 'ccexp',
    label: texts.expiry,
    autocomplete: 'cc-exp',
    isNumeric: true,
    hint: texts.expiryHint,
    flaws: { missing: texts.wrongExpiry, past: texts.pastExpiry },
  },
  {
    name: 'cvv',
    label: texts.securityCode,
    autocomplete: 'cc-csc',
    isNumeric: true,
    isLast: true,
    hint: texts.codeOnCard,
    flaws: { missing: texts.wrongCode },
  },
];

/**
 * Renders the inputs for a card. The server never fills them in, so a card number is never sent back.
 *
 * @param again Whether the buyer typed the card before and must type it again.
 * @param now The time, in milliseconds since 1970, with which the page's script detects an expired card. Default: no
 * such check.
 */
export function cardForm(problems: Problems = {}, again = false, now?: number): Html {
  const hint = again ? texts.cardNotKept : undefined;
  const inputs = cardFields.map((one) => field({ hint, ...one, problem: problems[one.name] }));
  return html`<div class="card" data-now="${now ?? ''}" data-three="${texts.codeOnBack}" data-four="${texts.codeOnFront}">${inputs}
<p class="brand" id="brand" role="status"></p></div>`;
}

/** Returns an expiry far enough in the future for a test card, formatted as on cards. */
export function expiryAfter(now: number): string {
  return `12/${String(new Date(now).getUTCFullYear() + 4).slice(-2)}`;
}

/** Reads the card of a form, and its problems. Without problems there is a card. */
export function readCard(form: FormData): { readonly card: CardDetails; readonly problems: Problems } {
  const ccnumber = readField(form, 'ccnumber').replaceAll(/[\s-]/g, '');
  const expiry = readExpiry(readField(form, 'ccexp'));
  const cvv = readField(form, 'cvv').trim();
  const problems = {
    ...(!isCardNumber(ccnumber) && { ccnumber: texts.wrongNumber }),
    ...(expiry === undefined && { ccexp: texts.wrongExpiry }),
    ...(!isCodeOf(ccnumber, cvv) && { cvv: texts.wrongCode }),
  };
  return { card: { ccnumber, ccexp: expiry ? writeExpiry(expiry, '') : '', cvv }, problems };
}
