/** Reaches inside: counts the names of the one file that imports the insides of the SDK. The SDK cannot change these alone. */

import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const source = readFileSync('sandbox/src/sdk.ts', 'utf8');

const maxNames = 60;

/** A list of names from one file of the SDK: the only form of an export that can be counted without a compiler. */
const list = /export (?:type )?\{([^{}]*)\} from '\.\.\/\.\.\/src\/[\w./-]+';/g;

function namesIn(text: string): readonly string[] {
  return [...text.matchAll(list)].flatMap(([, names = '']) =>
    names
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== ''),
  );
}

it(`exports at most ${maxNames} names, types included`, () => {
  const names = namesIn(source);
  expect(names.length).toBeGreaterThan(20);
  expect(names.length).toBeLessThanOrEqual(maxNames);
  expect(new Set(names).size).toBe(names.length);
});

it('has no namespace, object or declaration that would hide names from the count', () => {
  const rest = source.replaceAll(list, '').replaceAll(/\/\*[\s\S]*?\*\//g, '');
  expect(rest.trim()).toBe('');
});

it('counts each name of a list, and no namespace', () => {
  const text =
    "export {\n  one,\n  type Two,\n} from '../../src/a.ts';\nexport * as three from '../../src/b.ts';";
  expect(namesIn(text)).toEqual(['one', 'type Two']);
});

it('shares one copy of the source of the SDK with the entries', async () => {
  const { NotFoundError, PaymentsClient, version } = await import('payments-client');
  const { createTestClient, makeError } = await import('payments-client-sandbox/testing');
  const sdk = await import('../src/sdk.ts');
  expect(createTestClient().payments.constructor).toBe(PaymentsClient);
  expect(makeError('NotFoundError').constructor).toBe(NotFoundError);
  const { issuesOf } = await import('../../src/base/schema/validation.ts');
  expect(sdk.issuesOf).toBe(issuesOf);
  expect(sdk.version).toBe(version);
});
