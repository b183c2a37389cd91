import { parseAccept } from 'hono/utils/accept';
import { arabic } from './arabic.ts';
import { english } from './english.ts';
import { french } from './french.ts';
import { german } from './german.ts';
import { japanese } from './japanese.ts';
import { spanish } from './spanish.ts';
import type { Texts } from './texts.ts';

/** The texts and the locale of a page. */
export interface Language {
  readonly texts: Texts;
  /** The locale for amounts, dates and country names, such as `de-AT`. */
  readonly locale: string;
  readonly direction: 'ltr' | 'rtl';
}

const languages = new Map<string, Pick<Language, 'texts' | 'direction'>>([
  ['en', { texts: english, direction: 'ltr' }],
  ['de', { texts: german, direction: 'ltr' }],
  ['fr', { texts: french, direction: 'ltr' }],
  ['es', { texts: spanish, direction: 'ltr' }],
  ['ja', { texts: japanese, direction: 'ltr' }],
  ['ar', { texts: arabic, direction: 'rtl' }],
]);

/** Parses a locale, also one like `en_GB`; `undefined` for an invalid one. */
function toLocale(text: string): Intl.Locale | undefined {
  try {
    return new Intl.Locale(text.replaceAll('_', '-'));
  } catch {
    return undefined;
  }
}

function languageFor(text: string): Language | undefined {
  const locale = toLocale(text);
  const known = languages.get(locale?.language ?? '');
  return locale && known && { ...known, locale: locale.baseName };
}

/**
 * Chooses the language of a page: the session's, else the browser's best match, else English.
 *
 * @param locale The session's locale. `auto` or an unknown one leaves the choice to the browser.
 * @param accepted The browser's `Accept-Language`.
 */
export function languageOf(locale: string | null, accepted = ''): Language {
  const wishes = parseAccept(accepted).filter(({ q }) => q > 0);
  const preferred = [locale ?? '', ...wishes.map(({ type }) => type)];
  const [first] = preferred.flatMap((text) => languageFor(text) ?? []);
  return first ?? { texts: english, locale: 'en', direction: 'ltr' };
}
