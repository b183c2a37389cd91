import { html } from 'hono/html';
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
  /** Whether it may stay empty. Default: false. */
  readonly isOptional?: boolean | undefined;
  /** What helps to answer. Default: nothing. */
  readonly hint?: string | undefined;
  /** What was answered. A card's fields are never filled in. Default: nothing. */
  readonly value?: string | undefined;
  /** What is wrong with the answer, in the buyer's words. Default: nothing. */
  readonly problem?: string | undefined;
}

/** A labelled input, tied to its hint and to what is wrong with it. */
export function field({ name, label, autocomplete, value = '', problem, hint, ...more }: Field): Html {
  const { type = 'text', isNumeric = false, isOptional = false } = more;
  const describedBy = [hint && `${name}-hint`, problem && `${name}-problem`].filter(Boolean).join(' ');
  return html`<div class="field">
<label for="${name}">${label}${isOptional ? html` <span class="soft">(optional)</span>` : ''}</label>
${hint === undefined ? '' : html`<p class="soft hint" id="${name}-hint">${hint}</p>`}
<p class="problem" id="${name}-problem"${problem === undefined ? html` hidden` : ''}>${problem ?? ''}</p>
<input id="${name}" name="${name}" type="${type}" value="${value}" autocomplete="${autocomplete}"
${isNumeric ? html`inputmode="numeric"` : ''} ${isOptional ? '' : html`required`}
aria-invalid="${problem === undefined ? 'false' : 'true'}"${describedBy === '' ? '' : html` aria-describedby="${describedBy}"`}>
</div>`;
}
