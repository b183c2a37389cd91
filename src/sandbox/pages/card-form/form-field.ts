import { html } from 'hono/html';
import type { Html } from '../page.ts';
import { texts } from '../texts.ts';

/** A form field. */
export interface Field {
  /** The name in the form, and the id in the page. */
  readonly name: string;
  /** The label. */
  readonly label: string;
  /** The `autocomplete` token. */
  readonly autocomplete: string;
  /** The input type. Default: `text`. */
  readonly type?: 'text' | 'email' | 'tel' | undefined;
  /** Whether it accepts digits only. Default: false. */
  readonly isNumeric?: boolean | undefined;
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
  /** All error messages that the field can show. */
  readonly flaws: Flaws;
}

/** The error messages of a field. */
interface Flaws {
  /** For an empty field. */
  readonly missing: string;
  /** For an invalid value. Default: as for an empty field. */
  readonly wrong?: string | undefined;
  /** For a date in the past. Default: as for an invalid value. */
  readonly past?: string | undefined;
}

/** Renders an input with the keyboard that suits it. */
function inputOf({ type = 'text', isNumeric = false, capitals, isLast = false, value = '' }: Field): Html {
  const isProse = type === 'text' && !isNumeric;
  return html`type="${type}" value="${value}" ${isNumeric ? html`inputmode="numeric"` : ''}
${isProse ? '' : html`spellcheck="false" autocorrect="off"`}
autocapitalize="${capitals ?? 'none'}" enterkeyhint="${isLast ? 'go' : 'next'}"`;
}

function choicesOf({ choices = [], value: chosen }: Field): Html {
  const options = choices.map(
    ([value, name]) =>
      html`<option value="${value}"${value === chosen ? html` selected` : ''}>${name}</option>`,
  );
  return html`${options}`;
}

function controlOf(field: Field, described: Html): Html {
  const { name, autocomplete, isOptional = false, choices } = field;
  const shared = html`id="${name}" name="${name}" autocomplete="${autocomplete}" ${isOptional ? '' : html`required`} ${described}`;
  if (choices !== undefined) return html`<select ${shared}>${choicesOf(field)}</select>`;
  return html`<input ${shared} ${inputOf(field)}>`;
}

/** Renders a labelled input, tied to its hint and its error. The page holds all messages of the field for its script. */
export function field(one: Field): Html {
  const { name, label, isOptional = false, hint, problem, flaws } = one;
  const { missing, wrong = missing, past = wrong } = flaws;
  const ids = [hint && `${name}-hint`, problem && `${name}-problem`].filter(Boolean).join(' ');
  const described = html`aria-invalid="${problem === undefined ? 'false' : 'true'}"${ids === '' ? '' : html` aria-describedby="${ids}"`}`;
  return html`<div class="field">
<label for="${name}">${label}<span class="soft optional"${isOptional ? '' : html` hidden`}> ${texts.optional}</span></label>
${hint === undefined ? '' : html`<p class="soft hint" id="${name}-hint">${hint}</p>`}
<p class="problem" id="${name}-problem" data-missing="${missing}" data-wrong="${wrong}" data-past="${past}"${problem === undefined ? html` hidden` : ''}>${problem ?? ''}</p>
${controlOf(one, described)}
</div>`;
}
