import { html } from 'hono/html';
import { english } from '../languages/english.ts';
import type { Html } from '../page.ts';

/** One question of a form. */
export interface Field {
  /** Its name in the form, and its id in the page. */
  readonly name: string;
  /** What is asked. */
  readonly label: string;
  /** What a browser fills it in with. */
  readonly autocomplete: string;
  /** The kind of input. Default: `text`. */
  readonly type?: 'text' | 'email' | 'tel' | undefined;
  /** Whether it holds digits only. Default: false. */
  readonly isNumeric?: boolean | undefined;
  /** What a keyboard on a screen writes in capitals. Default: nothing. */
  readonly capitals?: 'words' | 'characters' | undefined;
  /** Whether it is the last one of its form. Default: false. */
  readonly isLast?: boolean | undefined;
  /** What can be chosen: each value with its name. Default: it is typed. */
  readonly choices?: readonly (readonly [value: string, name: string])[] | undefined;
  /** Whether it may stay empty. Default: false. */
  readonly isOptional?: boolean | undefined;
  /** What helps to answer. Default: nothing. */
  readonly hint?: string | undefined;
  /** What was answered. A card's fields are never filled in. Default: nothing. */
  readonly value?: string | undefined;
  /** What is wrong with the answer, in the buyer's words. Default: nothing. */
  readonly problem?: string | undefined;
  /** What can be wrong with an answer, in the buyer's words. */
  readonly flaws: Flaws;
}

/** The error messages of a field. */
interface Flaws {
  /** Of an empty one. */
  readonly missing: string;
  /** Of one that cannot be right. Default: as for an empty one. */
  readonly wrong?: string | undefined;
  /** Of a date in the past. Default: as for one that cannot be right. */
  readonly past?: string | undefined;
}

/** What makes an input easy to type in on a telephone. What is written from left to right in every language stays so. */
function inputOf({ type = 'text', isNumeric = false, capitals, isLast = false, value = '' }: Field): Html {
  const isLeftToRight = isNumeric || type !== 'text';
  const direction = isLeftToRight ? html`dir="ltr" spellcheck="false" autocorrect="off"` : html`dir="auto"`;
  return html`type="${type}" value="${value}" ${isNumeric ? html`inputmode="numeric"` : ''}
${direction}
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

/**
 * A labelled input, tied to its hint and its error. All messages of the field are in the page, for its script.
 *
 * @param texts The texts that every field has. Default: in English.
 */
export function field(one: Field, texts: { readonly optional: string } = english): Html {
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
