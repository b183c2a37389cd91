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

/** What is wrong with which field, in the buyer's words. */
export type Problems = Readonly<Record<string, string>>;

/** How the inputs for a card are shown. */
export interface CardFormOptions {
  /** Default: in English. */
  readonly texts?: Texts | undefined;
  /** The time, in milliseconds since 1970, by which the page's script knows an expiry in the past. Default: it does not. */
  readonly now?: number | undefined;
}

/** The fields of a card, in their order. */
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
 * The inputs for a card. They are never filled in by the server: a card number comes in, and goes nowhere.
 *
 * @param again Whether the buyer had typed it in before, and has to once more.
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

/** A month that is far enough away for a test card, as it stands on cards. */
export function expiryAfter(now: number): string {
  return `12/${String(new Date(now).getUTCFullYear() + 4).slice(-2)}`;
}

/** The card of a form, and what is wrong with it. Without a problem there is a card. */
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
