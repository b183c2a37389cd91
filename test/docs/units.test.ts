/**
 * The units of the public API: the doc comment of each declaration names its unit, and so does every sentence of README and the
 * guides that mentions the name with a unit.
 */

import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const root = new URL('../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), 'utf8');

type Unit = 'ms' | 'seconds' | 'minor units' | 'decimal string' | 'not shown';

/** The spellings of each unit, in code and in guides. */
const spellings: Readonly<Record<Unit, RegExp>> = {
  ms: /\bms\b|\bmilliseconds?\b/,
  seconds: /\bseconds?\b/i,
  'minor units': /\bminor units?\b/,
  'decimal string': /\bdecimal strings?\b/,
  'not shown': /seconds or ms is not/,
};
/** Units that a sentence must not confuse. An amount may be in either of its units. */
const timeUnits = ['ms', 'seconds'] as const;

/** Each public name that has a unit, and the file of its declaration. */
const names: readonly (readonly [name: string, Unit, file: string])[] = [
  ['timeout', 'ms', 'src/http/client/options.ts'],
  ['totalTimeout', 'ms', 'src/http/client/options.ts'],
  ['timeout', 'ms', 'src/resources/poll.ts'],
  ['interval', 'ms', 'src/resources/poll.ts'],
  ['timeout', 'ms', 'src/browser/script.ts'],
  ['duration', 'ms', 'src/http/client/hooks.ts'],
  ['wait', 'ms', 'src/http/client/hooks.ts'],
  ['retryAfter', 'seconds', 'src/base/errors.ts'],
  ['retryAfter', 'seconds', 'src/journal/errors.ts'],
  ['retryAfter', 'seconds', 'sandbox/src/api/faults/fault.ts'],
  ['tolerance', 'ms', 'src/webhooks/options.ts'],
  ['lease', 'ms', 'src/webhooks/receiver/options.ts'],
  ['retention', 'ms', 'src/webhooks/receiver/options.ts'],
  ['windowMs', 'ms', 'src/fraud/velocity/rules.ts'],
  ['startsAt', 'ms', 'sandbox/src/options.ts'],
  ['amount', 'minor units', 'src/resources/objects/payment-intents.ts'],
  ['amount', 'minor units', 'src/resources/objects/refunds.ts'],
  ['amount', 'decimal string', 'src/transact/params.ts'],
  ['created_at', 'not shown', 'src/resources/objects/payment-intents.ts'],
  ['created_at', 'not shown', 'src/resources/objects/checkout-sessions.ts'],
  ['settled_at', 'not shown', 'src/resources/objects/charges.ts'],
];

/** Returns the doc comments of all declarations of a name in a file. */
function commentsOf(name: string, file: string): string[] {
  const declaration = new RegExp(
    `/\\*\\*((?:(?!\\*/)[\\s\\S])*)\\*/\\s*(?:declare )?(?:readonly )?${name}\\??:`,
    'g',
  );
  return [...read(file).matchAll(declaration)].map(([, comment = '']) => comment);
}

describe('the doc comment of', () => {
  it.each(names)('%s names %s, in %s', (name, unit, file) => {
    const comments = commentsOf(name, file);
    expect(comments.length).toBeGreaterThan(0);
    expect(comments.filter((comment) => spellings[unit].test(comment))).not.toEqual([]);
  });
});

/** Returns the sentences, cells and comments of a guide. */
function sentencesOf(guide: string): string[] {
  return read(guide)
    .replaceAll(/(?<!\n)\n(?![\n|#*-])/g, ' ')
    .split(/[|;\n]|\/\/|[.:](?= )|, (?=and `)/)
    .map((sentence) => sentence.trim());
}

const guides = ['README.md', ...readdirSync(new URL('docs/', root)).map((name) => `docs/${name}`)].filter(
  (path) => path.endsWith('.md'),
);

/** The statements of the guides. Only a name in code, or the key of an option, is a name of the API. */
function claimsOf(name: string): string[] {
  const asCode = new RegExp(`\`${name}\\b[^\`]*\`|\\b${name}: `);
  return guides.flatMap((guide) =>
    sentencesOf(guide)
      .filter((sentence) => asCode.test(sentence))
      .map((sentence) => `${guide}: ${sentence}`),
  );
}

describe('each sentence of the guides about', () => {
  it.each([...new Set(names.map(([name]) => name))])('%s uses its unit', (name) => {
    const allowed: readonly string[] = names.flatMap(([known, unit]) => (known === name ? [unit] : []));
    const wrong = claimsOf(name).filter((sentence) =>
      timeUnits.some((unit) => !allowed.includes(unit) && spellings[unit].test(sentence)),
    );
    expect(wrong).toEqual([]);
  });

  it('is parsed correctly', () => {
    const claims = (name: string, unit: Unit) => claimsOf(name).filter((text) => spellings[unit].test(text));
    expect(claims('retryAfter', 'seconds')).not.toEqual([]);
    expect(claims('timeout', 'ms')).not.toEqual([]);
    expect(claims('amount', 'decimal string')).not.toEqual([]);
  });
});
