/** Every amount, in every currency, form and type of transaction: it is sent as it is and means what it says, or nothing is sent. */

import { InvalidRequestError } from 'payments-client';
import { describe, expect, it } from 'vitest';
import { bySize } from '../support/size.ts';
import { type Call, methods, startEndpoint, submit } from './endpoint.ts';

const forms = ['currency', 'two-decimals', 'integer'] as const;
type Form = (typeof forms)[number];

/** The decimals of each currency, after ISO 4217; two for an unknown one, or for none. */
const decimalsOf = new Map<string | undefined, number>([
  [undefined, 2],
  ['', 2],
  ['USD', 2],
  ['eur', 2],
  ['JPY', 0],
  ['krw', 0],
  ['KWD', 3],
  ['bhd', 3],
  ['CLF', 4],
  ['XXX', 2],
]);
const currencies = [...decimalsOf.keys()];

/** Texts that no form has. */
const malformed = [
  '',
  '.',
  '1.',
  '.5',
  '+1',
  '-1.00',
  '1e3',
  '0x10',
  ' 1',
  '1 ',
  '1\n',
  '1,00',
  '1.000,00',
  '1_000',
].concat(['1.0.0', '1.00000', '٣', '１２', 'NaN', 'Infinity', '12.00 USD', '$12.00', '1'.repeat(16)]);

/** Counts of units, each of which is written with each number of decimals. */
const counts = bySize({
  short: ['0', '1', '101', '1200', '999999999999999'],
  all: [
    '0',
    '1',
    '9',
    '10',
    '99',
    '100',
    '101',
    '1200',
    '0001200',
    '123456',
    '99999999999',
    '999999999999999',
  ],
});

function write(units: string, decimals: number): string {
  if (decimals === 0) return units;
  const digits = units.padStart(decimals + 1, '0');
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

const amounts = [
  ...new Set([
    ...counts.flatMap((units) => [0, 1, 2, 3, 4].map((decimals) => write(units, decimals))),
    ...malformed,
  ]),
];

const decimalsIn = (form: Form, currency: string | undefined) =>
  form === 'currency' ? (decimalsOf.get(currency) ?? 2) : form === 'integer' ? 0 : 2;

/** Returns ten-thousandths of a whole unit, such as a dollar or a yen; `undefined` for a text that the form does not have. */
function meaningOf(text: string, form: Form, currency: string | undefined): bigint | undefined {
  const [, whole = '', fraction = ''] = /^(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  const decimals = decimalsIn(form, currency);
  if (whole === '' || fraction.length !== decimals || whole.length > 15 - decimals) return undefined;
  const digits = form === 'integer' ? (decimalsOf.get(currency) ?? 2) : decimals;
  return BigInt(whole + fraction) * 10n ** BigInt(4 - digits);
}

const { validate, void: voided, ...withAmount } = methods;
const types: readonly (readonly [string, Call, 'more than zero' | 'any' | 'none'])[] = [
  ...Object.entries(withAmount).map(([name, call]) => [name, call, 'more than zero'] as const),
  ['submit', submit, 'any'],
  [
    'submit of another type',
    (t, fields) => submit(t, { type: 'refund', transactionid: '7', ...fields }),
    'any',
  ],
  ['validate', validate, 'none'],
  ['void', voided, 'none'],
];

function isTaken(takes: 'more than zero' | 'any' | 'none', meaning: bigint | undefined): boolean {
  return takes !== 'none' && meaning !== undefined && (takes === 'any' || meaning > 0n);
}

/** Returns whether an amount was sent. */
async function wasTaken(call: PromiseLike<unknown>): Promise<boolean> {
  try {
    await call;
    return true;
  } catch (error) {
    if (error instanceof InvalidRequestError && error.issues.some(({ path }) => path === 'amount'))
      return false;
    throw error;
  }
}

describe.each(types)('%s', (_, call, takes) => {
  it('sends an amount as it is, or refuses it, and it means the same in each form that takes it', async () => {
    const meanings = new Map<string, Set<bigint>>();
    for (const formAmounts of forms) {
      const { transact, bodies } = startEndpoint('response=1', { formAmounts });
      const expected: string[] = [];
      const wrong: unknown[] = [];
      for (const currency of currencies) {
        for (const amount of amounts) {
          const fields = { amount, ...(currency !== undefined && { currency }) };
          const meaning = meaningOf(amount, formAmounts, currency);
          const isExpected = isTaken(takes, meaning);
          const isSent = await wasTaken(call(transact, fields));
          if (isSent !== isExpected) wrong.push({ formAmounts, ...fields });
          if (isExpected) expected.push(amount);
          if (!isSent || meaning === undefined) continue;
          const name = JSON.stringify(fields);
          meanings.set(name, (meanings.get(name) ?? new Set()).add(meaning));
        }
      }
      expect(wrong).toEqual([]);
      expect(bodies.map((body) => /(?:^|&)amount=([^&]*)/.exec(body)?.[1])).toEqual(expected);
    }
    expect([...meanings].filter(([, { size }]) => size > 1)).toEqual([]);
    expect(meanings.size > 0).toBe(takes !== 'none');
  });
});
