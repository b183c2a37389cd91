import { check } from '../../../src/base/validation.ts';
import { CallIdentity } from '../../../src/http/call-identity.ts';
import { resolveConnection } from '../../../src/http/config.ts';
import { ResourceReader } from '../../../src/http/resource-reader.ts';
import { customerSchema } from '../../../src/resources/customers.ts';
import { pageAfter } from '../records.ts';
import { micros, type RowGroup, times } from '../row.ts';
import { median, middleHalf, ratios } from '../statistics.ts';

const rounds = 41;
const pagesPerRound = 100;

const text = pageAfter(Number.NaN, 100);
const options = { baseUrl: 'http://127.0.0.1:1' };
const reader = new ResourceReader(resolveConnection(options, { names: [], issues: [] }), undefined);
const holds = {
  object: 'customer',
  plurals: ['customers'],
  check: (value: unknown) => check(customerSchema, value),
};
const headers = { get: () => null, web: new Headers() };
const response = { status: 200, headers, text, bytes: text.length, complete: true, validUtf8: true };

/** Keeps what was made last, so that the engine cannot leave the work out. */
let kept: unknown;

/** Seconds for one page. */
function timeOf(run: () => unknown): number {
  const start = performance.now();
  for (let page = 0; page < pagesPerRound; page += 1) kept = run();
  return (performance.now() - start) / 1000 / pagesPerRound;
}

export const parsing: RowGroup = {
  name: 'parsing',
  measure: async () => {
    const read = () =>
      reader.readPage(new CallIdentity('customers.list'), holds, response, 'sk_v1_test_bench');
    if ('issues' in read()) throw new Error('The page of the benchmark is refused.');
    const ours: number[] = [];
    const bare: number[] = [];
    for (let round = -5; round < rounds; round += 1) {
      const [own, other] = [timeOf(read), timeOf(() => JSON.parse(text))];
      if (round < 0) continue;
      ours.push(own);
      bare.push(other);
    }
    if (kept === undefined) throw new Error('Nothing was measured.');
    const each = ratios(ours, bare);
    return [
      {
        what: 'a page of 100 read and validated',
        target: '≤ 1.4 × JSON.parse',
        figure: times(median(each)),
        isMet: median(each) <= 1.4,
        spread: middleHalf(each),
        measured: [
          ['payments-client', micros(median(ours))],
          ['JSON.parse', micros(median(bare))],
        ],
      },
    ];
  },
};
