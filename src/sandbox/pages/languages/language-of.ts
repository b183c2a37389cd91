import { parseAccept } from 'hono/utils/accept';
import { arabic } from './arabic.ts';
import { english } from './english.ts';
import { french } from './french.ts';
import { german } from './german.ts';
import { japanese } from './japanese.ts';
import { spanish } from './spanish.ts';
import type { Texts } from './texts.ts';

/** How a page speaks to a buyer. */
export interface Language {
  readonly texts: Texts;
  /** The locale in which amounts, dates and names of countries are written, such as `de-AT`. */
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

/** The locale that a text names, also as `en_GB`; `undefined` for a text that names none. */
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
 * The language of a page: that of the session, else the best of the browser, else English.
 *
 * @param locale The session's locale. One that is `auto` or not known leaves the choice to the browser.
 * @param accepted The browser's `Accept-Language`.
 */
export function languageOf(locale: string | null, accepted = ''): Language {
  const wishes = parseAccept(accepted).filter(({ q }) => q > 0);
  const wanted = [locale ?? '', ...wishes.map(({ type }) => type)];
  const [first] = wanted.flatMap((text) => languageFor(text) ?? []);
  return first ?? { texts: english, locale: 'en', direction: 'ltr' };
}
