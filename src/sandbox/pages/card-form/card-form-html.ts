import { html } from 'hono/html';
import { type CardDetails, isCardNumber } from '../../transact/card-reader.ts';
import { readField } from '../../transact/form-request.ts';
import { english } from '../languages/english.ts';
import type { Texts } from '../languages/texts.ts';
import type { Html } from '../page.ts';
import { isCodeOf } from './card-brand.ts';
import { readExpiry, writeExpiry } from './card-expiry.ts';
import { withPlainDigits } from './digits.ts';
import { type Field, field } from './form-field.ts';

/** The error message of each wrong field, as the buyer reads it. */
export type Problems = Readonly<Record<string, string>>;

/** Options of the card inputs. */
export interface CardFormOptions {
  /** Default: English. */
  readonly texts?: Texts | undefined;
  /**
   * The time, in milliseconds since 1970, with which the page's script detects an expired card. Default: no such
   * check.
   */
  readonly now?: number | undefined;
}

/** Returns the fields of a card in display order. */
function cardFields(texts: Texts): readonly Field[] {
  const { wrongNumber, wrongExpiry, pastExpiry, wrongCode } = texts;
  return [
    {
      name: 'ccnumber',
      label: texts.cardNumber,
      autocomplete: 'cc-number',
      isNumeric: true,
      flaws: { missing: wrongNumber },
    },
    {
      name: 'ccexp',
      label: texts.expiry,
      autocomplete: 'cc-exp',
      isNumeric: true,
      hint: texts.expiryHint,
      flaws: { missing: wrongExpiry, past: pastExpiry },
    },
    {
      name: 'cvv',
      label: texts.securityCode,
      autocomplete: 'cc-csc',
      isNumeric: true,
      isLast: true,
      hint: texts.codeOnCard,
      flaws: { missing: wrongCode },
    },
  ];
}

/**
 * Renders the inputs for a card. The server never fills them in, so a card number is never sent back.
 *
 * @param again Whether the buyer typed the card before and must type it again.
 */
export function cardForm(
  problems: Problems = {},
  again = false,
  { texts = english, now }: CardFormOptions = {},
): Html {
  const hint = again ? texts.cardNotKept : undefined;
  const inputs = cardFields(texts).map((one) => field({ hint, ...one, problem: problems[one.name] }, texts));
  return html`<div class="card" data-now="${now ?? ''}" data-three="${texts.codeOnBack}" data-four="${texts.codeOnFront}">${inputs}
<p class="brand" id="brand" role="status"></p></div>`;
}

/** Returns an expiry far enough in the future for a test card, formatted as on cards. */
export function expiryAfter(now: number): string {
  return `12/${String(new Date(now).getUTCFullYear() + 4).slice(-2)}`;
}

/** Reads the card of a form, and its problems. Without problems there is a card. */
export function readCard(
  form: FormData,
  texts: Texts = english,
): { readonly card: CardDetails; readonly problems: Problems } {
  const ccnumber = withPlainDigits(readField(form, 'ccnumber')).replaceAll(/[\s-]/g, '');
  const expiry = readExpiry(readField(form, 'ccexp'));
  const cvv = withPlainDigits(readField(form, 'cvv')).trim();
  const problems = {
    ...(!isCardNumber(ccnumber) && { ccnumber: texts.wrongNumber }),
    ...(expiry === undefined && { ccexp: texts.wrongExpiry }),
    ...(!isCodeOf(ccnumber, cvv) && { cvv: texts.wrongCode }),
  };
  return { card: { ccnumber, ccexp: expiry ? writeExpiry(expiry, '') : '', cvv }, problems };
}
