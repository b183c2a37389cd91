/** Which names of fields PHP reads as others. The form endpoint is a PHP script. */

import fc from 'fast-check';
import { InvalidRequestError, Transact } from 'payments-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { failureOf } from '../support/failure.ts';
import { phpName } from '../support/php-names.ts';
import { hasPhp, type PhpServer, startPhpServer } from '../support/php-server.ts';
import { bySize } from '../support/size.ts';

const isSkipped = !hasPhp() && (process.env['CI'] ?? '') === '';
const reason = 'skipped: there is no php here; install Debian’s php-cli, or set CI to make this fail';
if (isSkipped) process.stderr.write(`test/transact/php-names.services.test.ts: ${reason}\n`);

/** Names that PHP reads as that of another field, or not at all. */
const folded: readonly [name: string, variable: string | undefined][] = [
  [' type', 'type'],
  ['  amount', 'amount'],
  ['security.key', 'security_key'],
  ['security key', 'security_key'],
  ['security[key', 'security_key'],
  ['amount[]', 'amount'],
  ['amount[0]', 'amount'],
  ['type\0x', 'type'],
  ['[type]', undefined],
  [' ', undefined],
  ['', undefined],
];

/** Names of an accepted form that are unusual all the same. */
const accepted = [
  '0',
  '00',
  '7',
  '-1',
  '-',
  '--',
  '__proto__',
  'constructor',
  'GLOBALS',
  'this',
  '_POST',
  'MAX_FILE_SIZE',
  'x'.repeat(64),
  'merchant_defined_field_1',
  'x-y',
  'tok_e',
];

describe.skipIf(isSkipped)(`PHP${isSkipped ? ` (${reason})` : ''}`, () => {
  let server: PhpServer | undefined;
  beforeAll(async () => {
    server = await startPhpServer();
  });
  afterAll(() => server?.stop());

  /** What PHP makes of a form: the name of each variable, in order. */
  async function variablesOf(names: readonly string[]): Promise<string[]> {
    const body = new URLSearchParams(names.map((name): [string, string] => [name, 'x']));
    const response = await fetch(server?.url ?? '', { method: 'POST', body });
    const { received }: { received: readonly [string, string][] } = Object(await response.json());
    return received.map(([name]) => atob(name));
  }

  it.each(folded)('reads %j as %j, so the SDK refuses it', async (name, variable) => {
    expect(await variablesOf([name])).toEqual(variable === undefined ? [] : [variable]);
    expect(phpName(name)).toBe(variable);
    const transact = new Transact({ baseUrl: server?.url, securityKey: 'k', validation: 'off' });
    await failureOf(transact.submit({ type: 'sale', [name]: 'x' }), InvalidRequestError);
  });

  it('sees two variables for names that differ by case, which another service may not', async () => {
    expect(await variablesOf(['type', 'Type'])).toEqual(['type', 'Type']);
  });

  it.each(['urlencoded', 'multipart'] as const)(
    'reads each accepted name as itself, in %s',
    async (encoding) => {
      const transact = new Transact({ baseUrl: server?.url, securityKey: 'k', formEncoding: encoding });
      const fields = Object.fromEntries(accepted.map((name) => [name, 'x']));
      const { fields: reply } = await transact.submit({ type: 'sale', ...fields });
      const received: readonly (readonly [string, string])[] = JSON.parse(reply['received'] ?? '[]');
      const names = received.map(([name]) => atob(name));
      expect(names.sort()).toEqual(['security_key', 'type', ...accepted].sort());
    },
  );

  it('reads any name as the model of the tests does', async () => {
    const character = fc.constantFrom(
      'a',
      'B',
      '_',
      '-',
      '.',
      ' ',
      '[',
      ']',
      '\0',
      '7',
      '\t',
      'é',
      '+',
      '&',
      '=',
    );
    const anyName = fc.array(character, { maxLength: 7 }).map((characters) => characters.join(''));
    await fc.assert(
      fc.asyncProperty(anyName, async (name) => {
        const variable = phpName(name);
        const expected = variable === undefined ? [] : [Buffer.from(variable).toString('latin1')];
        expect(await variablesOf([name])).toEqual(expected);
      }),
      { numRuns: bySize({ short: 300, all: 3_000 }) },
    );
  });
});
