/**
 * How many forms a second are encoded and answers decoded. Prints one table; asserts nothing, since what it measures
 * depends on the machine.
 *
 *     npm run bench:transact
 */

import { issuesOf } from '../src/base/validation.ts';
import { decodeForm } from '../src/transact/decode.ts';
import { encodeForm, type FormFields } from '../src/transact/encode.ts';
import { transactionSchemas } from '../src/transact/params.ts';
import { toResult } from '../src/transact/result.ts';

const rounds = 21;
/** Long enough for the clock, short enough for a pause of the machine to spoil one round only. */
const roundMs = 40;

const sale = {
  type: 'sale',
  amount: '12.00',
  ccnumber: '4111111111111111',
  ccexp: '1299',
  cvv: '123',
  ipaddress: '203.0.113.7',
  email: 'ada+tea@example.com',
  phone: '+1 (555) 0100',
  address1: '1 Main St. #2',
  city: 'São Paulo',
  state: 'SP',
  zip: '01310-100',
  risk_session_id: '0f8fad5b-d9cb-469f-a165-70867728950e',
};
const saleFields: FormFields = [['security_key', 'key-of-the-benchmark'], ...Object.entries(sale)];

const extras = 'authcode=123456&orderid=&type=sale&response_code=100';
const checks = 'avsresponse=Y&cvvresponse=M&risk_score=10&risk_decision=A';
const answers = {
  unescaped: `response=1&responsetext=Approved now: REFID 316 [ok]&transactionid=316&${checks}&${extras}`,
  escaped: `response=1&responsetext=Approved+now%3A+REFID+316+%5Bok%5D&transactionid=316&${checks}&${extras}`,
  json: JSON.stringify({
    response: 1,
    responsetext: 'Approved now: REFID 316 [ok]',
    transactionid: 316,
    ...Object.fromEntries(new URLSearchParams(`${checks}&${extras}`)),
  }),
};

/** A body as `Transact` reads it, all the way to the result. */
function decode(body: string): unknown {
  const decoded = decodeForm(body);
  if ('issue' in decoded) throw new Error(`The benchmark's own answer is refused: ${decoded.issue.path}`);
  return toResult(decoded.fields);
}

interface Bench {
  readonly name: string;
  readonly run: () => unknown;
}

const benches: readonly Bench[] = [
  { name: 'sale: check its fields', run: () => issuesOf(transactionSchemas.decimal.sale, sale) },
  { name: 'sale: encode, urlencoded', run: () => encodeForm(saleFields, 'urlencoded') },
  { name: 'sale: encode, multipart', run: () => encodeForm(saleFields, 'multipart') },
  { name: 'answer: decode, unescaped', run: () => decode(answers.unescaped) },
  { name: 'answer: decode, escaped', run: () => decode(answers.escaped) },
  { name: 'answer: decode, JSON', run: () => decode(answers.json) },
];

/** Keeps what was made last, so that the engine cannot leave the work out. */
let kept: unknown;

function timeOf(run: () => unknown, times: number): number {
  const start = performance.now();
  for (let time = 0; time < times; time += 1) kept = run();
  return performance.now() - start;
}

/** How many runs fill one round. Running that often also warms the engine up. */
function timesPerRound(run: () => unknown): number {
  let times = 64;
  while (timeOf(run, times) < roundMs) times *= 2;
  return Math.ceil((times * roundMs) / timeOf(run, times));
}

/** Operations a second of every round. Rounds are interleaved, so that a slow moment of the machine meets all alike. */
function measure(): Map<string, number[]> {
  const planned = benches.map((bench) => ({ ...bench, times: timesPerRound(bench.run) }));
  const rates = new Map<string, number[]>(benches.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const { name, run, times } of planned) {
      rates.get(name)?.push((times / timeOf(run, times)) * 1_000);
    }
  }
  return rates;
}

/** The value below which this part of them lies. */
function quantile(sorted: readonly number[], part: number): number {
  return sorted[Math.round((sorted.length - 1) * part)] ?? Number.NaN;
}

const whole = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 0 });

function rowOf(name: string, rates: readonly number[]): readonly string[] {
  const sorted = rates.toSorted((a, b) => a - b);
  const median = quantile(sorted, 0.5);
  const middleHalf = ((quantile(sorted, 0.75) - quantile(sorted, 0.25)) / median) * 100;
  return [
    name,
    whole.format(median),
    (1e6 / median).toFixed(2),
    `${middleHalf.toFixed(1)} %`,
    whole.format(quantile(sorted, 0)),
    whole.format(quantile(sorted, 1)),
  ];
}

/** Columns of one width each: the first to the left, numbers to the right. */
function formatTable(rows: readonly (readonly string[])[]): string {
  const [head = []] = rows;
  const widths = head.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  ');
  const rule = widths.map((width) => '-'.repeat(width)).join('  ');
  return [line(head), rule, ...rows.slice(1).map(line)].join('\n');
}

const head = ['operation', 'median ops/s', 'µs each', 'middle half', 'slowest', 'fastest'];
const table = formatTable([head, ...[...measure()].map(([name, rates]) => rowOf(name, rates))]);

console.log(
  `Node ${process.version}, ${process.platform} ${process.arch}; ${rounds} interleaved rounds of ${roundMs} ms.`,
);
console.log('Middle half: how far apart the quartiles are, as a part of the median.\n');
console.log(table);
if (kept === undefined) throw new Error('Nothing was measured.');
