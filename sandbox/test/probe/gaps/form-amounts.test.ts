/** Reaches inside: reads one gap, of services that state amounts in ways that no sandbox has. */

import fc from 'fast-check';
import { toDecimalAmount } from 'payments-client';
import { expect, test } from 'vitest';
import { bySize } from '../../../../test/support/size.ts';
import { formAmounts } from '../../../src/probe/gaps/form-amounts.ts';
import { type Answer, toAnswer } from '../../../src/probe/question.ts';
import { type Ask, findingOf, lineOf, page, probeBy, summary } from '../support.ts';

const found = {
  currency: ['as assumed', 'currency', { formAmounts: 'currency' }],
  'two-decimals': ['differs', 'two-decimals', { formAmounts: 'two-decimals' }],
  integer: ['differs', 'integer', { formAmounts: 'integer' }],
};
const undecided = (detail: string) => ['not seen', expect.stringContaining(detail), undefined];
const noStatement = undecided('states no amount of a test sale');
const noForm = undecided('fit no known form');
const noYen = undecided('states no amount of yen');

/** An endpoint that approves what it can read, and where it states the amount. */
interface Endpoint {
  /** Returns the minor units of an amount; `undefined` refuses it. */
  readonly reads: (amount: string, currency: string) => number | undefined;
  /** Fields of the response. */
  readonly echo?: (sold: Sold) => object;
  /** The charges in the list. */
  readonly charge?: (sold: Sold) => object | readonly object[];
  readonly validates?: boolean;
  /** Fields of a refusal. */
  readonly refusal?: object;
}

interface Sold {
  readonly id: string;
  readonly orderid: string;
  readonly text: string;
  readonly currency: string;
  readonly units: number;
}

const chargeOf = ({ id, orderid, units, currency }: Sold) => ({
  id: `ch_${id}`,
  livemode: false,
  amount: units,
  currency: currency.toLowerCase(),
  metadata: { orderid },
});

function startEndpoint({
  reads,
  echo = () => ({}),
  charge = () => [],
  validates = true,
  refusal: refused,
}: Endpoint) {
  const charges: object[] = [];
  const sent: string[] = [];
  const answer = (fields: object): Answer => toAnswer(200, { get: () => null }, JSON.stringify(fields));
  const refusal = answer({ response: '3', responsetext: 'Invalid', ...refused });
  const sell = (text: string, orderid: string, currency = 'USD'): Answer => {
    const units = reads(text, currency);
    if (units === undefined) return refusal;
    const sold = { id: String(10_000_000 + sent.length), orderid, text, currency, units };
    charges.unshift(...[charge(sold)].flat());
    return answer({ response: '1', transactionid: sold.id, ...echo(sold) });
  };
  const ask: Ask = async (question) => {
    if (question.kind === 'form') return answer({ response: '3', responsetext: question.securityKey });
    if (question.kind === 'read') return answer(page(question.path === '/v1/charges' ? charges : []));
    if (question.kind !== 'transaction') return refusal;
    const { transaction } = question;
    sent.push(
      Object.values(transaction)
        .join(' ')
        .replace(/ \S*-\S*$/, ''),
    );
    if (transaction.type === 'sale')
      return sell(transaction.amount, transaction.orderid, transaction.currency);
    return validates || transaction.type === 'void' ? answer({ response: '1' }) : refusal;
  };
  return { ask, sent };
}

const point = /\./;
const digits = (text: string) => Number(text.replace(point, ''));
/** The usual ways to read an amount. */
const ofCurrency = (text: string, currency: string) =>
  point.test(text) === (currency !== 'JPY') ? digits(text) : undefined;
const twoDecimals = (text: string, currency: string) => {
  if (!point.test(text)) return undefined;
  return currency === 'JPY' ? Number(text) : digits(text);
};
const integer = (text: string) => (point.test(text) ? undefined : Number(text));
/** Reads `101` as 101.00 of each currency. */
const lenient = (text: string, currency: string) => Math.round(Number(text) * (currency === 'JPY' ? 1 : 100));
const decimal = ({ units, currency }: Sold) => toDecimalAmount(units, currency);

test.each<readonly [string, Endpoint, unknown]>([
  ['amounts of their currency, in charges', { reads: ofCurrency, charge: chargeOf }, found.currency],
  ['two decimals, in charges', { reads: twoDecimals, charge: chargeOf }, found['two-decimals']],
  ['whole minor units, in charges', { reads: integer, charge: chargeOf }, found.integer],
  ['any decimal, in charges', { reads: lenient, charge: chargeOf }, found.currency],
  [
    'whole minor units, in a decimal of the response',
    { reads: integer, echo: (sold) => ({ amount: decimal(sold) }) },
    found.integer,
  ],
  [
    'charges that have the id of the transaction alone',
    {
      reads: integer,
      echo: ({ orderid }) => ({ orderid }),
      charge: (sold) => ({ ...chargeOf(sold), metadata: {}, authorization: { transaction: sold.id } }),
    },
    found.integer,
  ],
  ['any decimal, and states none', { reads: lenient }, noStatement],
  ['whole amounts, and states none', { reads: integer }, noStatement],
  [
    'a copy of what was sent',
    { reads: ofCurrency, echo: ({ text }) => ({ amount: text, amount_authorized: text }) },
    noStatement,
  ],
  [
    'whole amounts as 101.00, which no form has',
    {
      reads: (text) => (point.test(text) ? undefined : Number(text) * 100),
      charge: chargeOf,
    },
    noForm,
  ],
  [
    'decimals cut to whole minor units',
    { reads: (text) => Math.trunc(Number(text)), charge: chargeOf },
    noForm,
  ],
  [
    'a charge and a response that contradict each other',
    { reads: integer, charge: chargeOf, echo: () => ({ amount: '101.00' }) },
    noStatement,
  ],
  [
    'two charges of one sale',
    { reads: integer, charge: (sold) => [chargeOf(sold), { ...chargeOf(sold), id: 'ch_2' }] },
    noStatement,
  ],
  [
    'two amounts of a response',
    { reads: integer, echo: () => ({ amount: '1.01', amount_authorized: '0.50' }) },
    noStatement,
  ],
  ['an amount of a refusal', { reads: () => undefined, refusal: { amount: '1.01' } }, noStatement],
  [
    'a charge of somebody else that has its short id',
    {
      reads: integer,
      echo: () => ({ transactionid: '7' }),
      charge: (sold) => ({ ...chargeOf(sold), metadata: { table: '7' } }),
    },
    noStatement,
  ],
  [
    'dollars for yen, in a response',
    {
      reads: (text) => lenient(text, 'USD'),
      charge: (sold) => (sold.currency === 'USD' ? chargeOf(sold) : []),
      echo: ({ units }) => ({ amount: toDecimalAmount(units, 'USD') }),
    },
    noYen,
  ],
  [
    'yen with two decimals in charges, and whole ones nowhere',
    {
      reads: lenient,
      charge: (sold) => (point.test(sold.text) ? chargeOf(sold) : []),
    },
    found['two-decimals'],
  ],
  [
    'charges in another currency than that of the sale',
    { reads: ofCurrency, charge: (sold) => ({ ...chargeOf(sold), currency: 'usd' }) },
    noYen,
  ],
  [
    'an account in yen',
    { reads: lenient, charge: (sold) => ({ ...chargeOf(sold), currency: 'jpy' }) },
    noStatement,
  ],
  [
    'no yen',
    {
      reads: (text, currency) => (currency === 'JPY' ? undefined : ofCurrency(text, currency)),
      charge: chargeOf,
    },
    noYen,
  ],
  ['yen in hundredths', { reads: (text) => digits(text), charge: chargeOf }, noForm],
  [
    'decimals of yen in hundredths',
    { reads: (text) => (point.test(text) ? digits(text) : undefined), charge: chargeOf },
    noForm,
  ],
  [
    'charges with a currency that nobody knows',
    { reads: integer, charge: (sold) => ({ ...chargeOf(sold), currency: 'credits' }) },
    noStatement,
  ],
  [
    'charges with decimal strings',
    { reads: integer, charge: (sold) => ({ ...chargeOf(sold), amount: '1.01' }) },
    noStatement,
  ],
  [
    'charges of others',
    { reads: integer, charge: (sold) => ({ ...chargeOf(sold), metadata: { orderid: 'order-1' } }) },
    noStatement,
  ],
])('%s: %#', async (_, endpoint, expected) => {
  expect(summary(await findingOf(formAmounts, startEndpoint(endpoint).ask))).toEqual(expected);
});

test.each([
  ['deep', `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`],
  ['long', `[${'1,'.repeat(300_000)}1]`],
])('a %s charge in the list is no obstacle', async (_, metadata) => {
  const charge = (sold: Sold) => [chargeOf(sold), { id: 'ch_2', metadata: 'METADATA' }];
  const { ask } = startEndpoint({ reads: integer, charge });
  const finding = await findingOf(formAmounts, async (question) => {
    const { status, headers, text } = await ask(question);
    return toAnswer(status, headers, text.replaceAll('"METADATA"', metadata));
  });
  expect(summary(finding)).toEqual(found.integer);
});

test('of any service that states the truth, what it concludes is true', async () => {
  const units = fc.constantFrom(undefined, undefined, 101, 101, 1, 10_100);
  const readings = fc.record({ '1.01 USD': units, '101 USD': units, '101 JPY': units, '101.00 JPY': units });
  const mostly = fc.integer({ min: 0, max: 9 }).map((number) => number > 0);
  const answers = fc.record({ isCharge: mostly, isEchoed: fc.boolean(), isTest: mostly });
  const rightTexts = {
    currency: ['1.01 USD', '101 JPY'],
    'two-decimals': ['1.01 USD', '101.00 JPY'],
    integer: ['101 USD'],
  } as const;
  const concluded = new Set<unknown>();
  await fc.assert(
    fc.asyncProperty(readings, fc.infiniteStream(answers), async (reading, stated) => {
      const read = new Map<string, number | undefined>(Object.entries(reading));
      const { ask, sent } = startEndpoint({
        reads: (text, currency) => read.get(`${text} ${currency}`),
        charge: (sold) => {
          const { isCharge, isTest } = stated.next().value;
          return isCharge ? { ...chargeOf(sold), livemode: !isTest } : [];
        },
        echo: (sold) => (stated.next().value.isEchoed ? { amount: decimal(sold) } : {}),
      });
      const { known } = await findingOf(formAmounts, ask);
      const form = known?.formAmounts;
      concluded.add(form);
      for (const text of form === undefined ? [] : rightTexts[form]) expect(reading[text], text).toBe(101);
      const made = (type: string) => sent.filter((one) => one.startsWith(type)).length;
      const approved = [...read].filter(
        ([name, one]) => one !== undefined && sent.includes(`sale ${name.replace(' USD', '')}`),
      );
      expect(made('void')).toBe(approved.length);
    }),
    { numRuns: bySize({ short: 300, all: 5000 }) },
  );
  expect(concluded).toEqual(new Set([undefined, 'currency', 'two-decimals', 'integer']));
});

test('a card that is not approved ends it before a sale', async () => {
  const { ask, sent } = startEndpoint({ reads: lenient, charge: chargeOf, validates: false });
  expect(summary(await findingOf(formAmounts, ask))).toEqual(
    undecided('does not approve the test card, so no sale was made'),
  );
  expect(sent).toEqual(['validate']);
});

test.each([
  [true, lenient, ['sale 1.01', 'void 10000002']],
  [undefined, lenient, ['sale 1.01', 'void 10000002']],
  [true, integer, ['sale 1.01', 'sale 101', 'void 10000003']],
] as const)(
  'a charge with livemode %s ends it after one sale, which is voided: %#',
  async (livemode, how, moves) => {
    const charge = (sold: Sold) => ({ ...chargeOf(sold), livemode });
    const { ask, sent } = startEndpoint({ reads: how, charge });
    expect(summary(await findingOf(formAmounts, ask))).toEqual(undecided('does not say livemode: false'));
    expect(sent).toEqual(['validate', ...moves]);
  },
);

test.each([
  ['the first', '101', ['sale 101 JPY', 'void 10000002', 'void 10000003']],
  [
    'the second',
    '101.00',
    ['sale 101 JPY', 'sale 101.00 JPY', 'void 10000002', 'void 10000003', 'void 10000004'],
  ],
])('%s charge in yen without livemode: false ends it', async (_, live, moves) => {
  const charge = (sold: Sold) => ({
    ...chargeOf(sold),
    livemode: sold.currency === 'JPY' && sold.text === live,
  });
  const { ask, sent } = startEndpoint({ reads: lenient, charge });
  expect(summary(await findingOf(formAmounts, ask))).toEqual(undecided('does not say livemode: false'));
  expect(sent).toEqual(['validate', 'sale 1.01', ...moves]);
});

test('one of several charges of a sale without livemode: false ends it', async () => {
  const charge = (sold: Sold) => [chargeOf(sold), { ...chargeOf(sold), id: 'ch_2', livemode: true }];
  const { ask, sent } = startEndpoint({ reads: lenient, charge });
  expect(summary(await findingOf(formAmounts, ask))).toEqual(undecided('does not say livemode: false'));
  expect(sent).toEqual(['validate', 'sale 1.01', 'void 10000002']);
});

test('a live charge of a sale with an unreadable answer ends it', async () => {
  const charge = (sold: Sold) => ({ ...chargeOf(sold), livemode: sold.currency === 'JPY' });
  const { ask, sent } = startEndpoint({ reads: lenient, charge });
  const finding = await findingOf(formAmounts, async (question) => {
    const answer = await ask(question);
    const isYen = JSON.stringify(question).includes('JPY');
    return isYen ? toAnswer(409, answer.headers, '<html>') : answer;
  });
  expect(summary(finding)).toEqual(undecided('does not say livemode: false'));
  expect(sent).toEqual(['validate', 'sale 1.01', 'sale 101 JPY', 'void 10000002']);
});

test.each([
  ['a test key', ['--create', '--form', '--sale']],
  ['--sale', ['a test key', '--create', '--form']],
] as const)('without %s nothing is sold', async (need, allows) => {
  const { ask, sent } = startEndpoint({ reads: lenient, charge: chargeOf });
  const report = await probeBy(ask, new Set(allows));
  expect(sent).toEqual([]);
  expect(lineOf(report, 'G82').verdict).toBe(need === '--sale' ? 'not asked' : 'not seen');
});
