import { type CardDetails, isCardNumber } from '../transact/card-reader.ts';
import { readField } from '../transact/form-request.ts';
import { insteadOf } from '../transact/test-cards.ts';
import { isCodeOf, readExpiry, writeExpiry } from './card-entry.ts';
import { texts } from './texts.ts';

const asTyped = { spellcheck: false, autocorrect: 'off' } as const;

/** The attributes that choose the keyboard, by what is typed. */
const keyboards = {
  text: { type: 'text' },
  digits: { type: 'text', inputmode: 'numeric', ...asTyped },
  email: { type: 'email', ...asTyped },
  tel: { type: 'tel', ...asTyped },
} as const;

/** A form field. */
export interface Field {
  /** The name in the form, and the id in the page. */
  readonly name: string;
  /** The label. */
  readonly label: string;
  /** The `autocomplete` token. */
  readonly autocomplete: string;
  /** What is typed. Default: `text`. */
  readonly type?: keyof typeof keyboards | undefined;
  /** The `autocapitalize` value. Default: none. */
  readonly capitals?: 'words' | 'characters' | undefined;
  /** Whether it is the last field of its form. Default: false. */
  readonly isLast?: boolean | undefined;
  /** The options of a select: each value with its label. Default: a text input. */
  readonly choices?: readonly (readonly [value: string, name: string])[] | undefined;
  /** Whether it may be empty. Default: false. */
  readonly isOptional?: boolean | undefined;
  /** Help text. Default: none. */
  readonly hint?: string | undefined;
  /** The current value. Card fields are never filled in. Default: empty. */
  readonly value?: string | undefined;
  /** The current error message, as the buyer reads it. Default: none. */
  readonly problem?: string | undefined;
  /** The error message for an empty field. Default: one with the label. */
  readonly missing?: string | undefined;
  /** For an invalid value. Default: as for an empty field. */
  readonly wrong?: string | undefined;
  /** For a date in the past. Default: as for an invalid value. */
  readonly past?: string | undefined;
}

/** Returns all error messages that a field can show. */
export function messagesOf({ label, missing = texts.missing(label), wrong = missing, past = wrong }: Field) {
  return { missing, wrong, past };
}

/** A labelled input or select, tied to its hint and its error. The page holds all messages of the field for its script. */
export function FormField(field: Field) {
  const { name, label, autocomplete, type = 'text', choices, isOptional = false } = field;
  const { hint, value = '', problem } = field;
  const { missing, wrong, past } = messagesOf(field);
  const [hintId, problemId] = [`${name}-hint`, `${name}-problem`];
  const shared = {
    id: name,
    name,
    autocomplete,
    value,
    required: !isOptional,
    'aria-invalid': problem !== undefined,
    'aria-describedby': [hint && hintId, problem && problemId].filter(Boolean).join(' ') || undefined,
  };
  return (
    <div class="field">
      <label for={name}>
        {label}
        <span class="soft optional" hidden={!isOptional}>
          {` ${texts.optional}`}
        </span>
      </label>
      {hint && (
        <p class="soft hint" id={hintId}>
          {hint}
        </p>
      )}
      <p
        class="problem"
        id={problemId}
        hidden={!problem}
        data-missing={missing}
        data-wrong={wrong}
        data-past={past}
      >
        {problem}
      </p>
      {choices === undefined ? (
        <input
          {...shared}
          {...keyboards[type]}
          autocapitalize={field.capitals ?? 'none'}
          enterkeyhint={field.isLast ? 'go' : 'next'}
        />
      ) : (
        <select {...shared}>
          {choices.map(([code, text]) => (
            <option value={code}>{text}</option>
          ))}
        </select>
      )}
    </div>
  );
}

/** The error message of each wrong field, as the buyer reads it. */
export type Problems = Readonly<Record<string, string>>;

/** The fields of a card in display order. */
const cardFields: readonly Field[] = [
  { name: 'ccnumber', label: texts.cardNumber, autocomplete: 'cc-number', missing: texts.wrongNumber },
  {
    name: 'ccexp',
    label: texts.expiry,
    autocomplete: 'cc-exp',
    hint: texts.expiryHint,
    missing: texts.wrongExpiry,
    past: texts.pastExpiry,
  },
  {
    name: 'cvv',
    label: texts.securityCode,
    autocomplete: 'cc-csc',
    isLast: true,
    hint: texts.codeOnCard,
    missing: texts.wrongCode,
  },
];

/** What the inputs of a card show. */
interface CardProps {
  /** The errors. Default: none. */
  readonly problems?: Problems;
  /** Whether the buyer typed the card before and must type it again. Default: false. */
  readonly again?: boolean;
  /** The time, in milliseconds since 1970, with which the script detects an expired card. Default: no such check. */
  readonly now?: number;
}

/** The inputs of a card. The server never fills them in, so a card number is never sent back. */
export function CardFields({ problems = {}, again = false, now }: CardProps) {
  const hint = again ? texts.cardNotKept : undefined;
  return (
    <div class="card" data-now={now} data-three={texts.codeOnBack} data-four={texts.codeOnFront}>
      {cardFields.map((one) => (
        <FormField type="digits" hint={hint} {...one} problem={problems[one.name]} />
      ))}
      <p class="brand" id="brand" role="status" />
    </div>
  );
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
  const instead = insteadOf(ccnumber);
  const problems = {
    ...(!isCardNumber(ccnumber) && { ccnumber: texts.wrongNumber }),
    ...(instead !== undefined && { ccnumber: texts.declinedElsewhere(instead) }),
    ...(expiry === undefined && { ccexp: texts.wrongExpiry }),
    ...(!isCodeOf(ccnumber, cvv) && { cvv: texts.wrongCode }),
  };
  return { card: { ccnumber, ccexp: expiry ? writeExpiry(expiry, '') : '', cvv }, problems };
}
