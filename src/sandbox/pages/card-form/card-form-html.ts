import { html } from 'hono/html';
import { type CardDetails, isCardNumber, isSecurityCode } from '../../transact/card-reader.ts';
import { readField } from '../../transact/form-request.ts';
import type { Html } from '../page.ts';
import { type Field, field } from './form-field.ts';

/** The fields of a card, in their order. */
const cardFields: readonly Field[] = [
  { name: 'ccnumber', label: 'Card number', autocomplete: 'cc-number', isNumeric: true },
  { name: 'ccexp', label: 'Expiry', autocomplete: 'cc-exp', isNumeric: true, hint: 'Month and year: 12/30' },
  {
    name: 'cvv',
    label: 'Security code',
    autocomplete: 'cc-csc',
    isNumeric: true,
    hint: '3 or 4 digits on the card',
  },
];

/** What is wrong with which field, in the buyer's words. */
export type Problems = Readonly<Record<string, string>>;

/**
 * The inputs for a card. They are never filled in by the server: a card number comes in, and goes nowhere.
 *
 * @param again Whether the buyer had typed it in before, and has to once more.
 */
export function cardForm(problems: Problems = {}, again = false): Html {
  const hint = again ? 'For your safety it is not kept: type it in again.' : undefined;
  const inputs = cardFields.map((one) => field({ hint, ...one, problem: problems[one.name] }));
  return html`<div class="card">${inputs}</div>`;
}

/** A month that is far enough away for a test card, as it stands on cards. */
export function expiryAfter(now: number): string {
  return `12/${String(new Date(now).getUTCFullYear() + 4).slice(-2)}`;
}

/** An expiry as people write it, as `MMYY`; `undefined` for what is none. */
function toExpiry(text: string): string | undefined {
  const [, month = '', year = ''] = /^(\d{1,2}?)\s*(?:[/.-]\s*)?((?:20)?\d\d)$/.exec(text.trim()) ?? [];
  const isMonth = Number(month) >= 1 && Number(month) <= 12;
  return isMonth ? month.padStart(2, '0') + year.slice(-2) : undefined;
}

/** The card of a form, and what is wrong with it. Without a problem there is a card. */
export function readCard(form: FormData): { readonly card: CardDetails; readonly problems: Problems } {
  const ccnumber = readField(form, 'ccnumber').replaceAll(/[\s-]/g, '');
  const ccexp = toExpiry(readField(form, 'ccexp'));
  const cvv = readField(form, 'cvv').trim();
  const problems = {
    ...(!isCardNumber(ccnumber) && {
      ccnumber: 'Check the card number: the digits are not those of a card.',
    }),
    ...(ccexp === undefined && { ccexp: 'Enter the month and the year, such as 12/30.' }),
    ...(!isSecurityCode(cvv) && { cvv: 'Enter the 3 or 4 digits of the security code.' }),
  };
  return { card: { ccnumber, ccexp: ccexp ?? '', cvv }, problems };
}
