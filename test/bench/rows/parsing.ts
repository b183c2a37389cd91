import { optionsOf } from '../../../src/base/options.ts';
import { noBody } from '../../../src/http/arguments.ts';
import { PreparedCall, RunningCall, type Sent } from '../../../src/http/call.ts';
import { connectionFields, resolveConnection } from '../../../src/http/config.ts';
import type { ConnectionOptions } from '../../../src/http/options.ts';
import { beginTrail, returnedPage } from '../../../src/http/page-body.ts';
import { runtimeTransport } from '../../../src/http/transport/fetch.ts';
import type { ReceivedResponse } from '../../../src/http/transport/received.ts';
import { customerSchema } from '../../../src/resources/customers.ts';
import { pageAfter } from '../records.ts';
import { micros, type RowGroup, times } from '../row.ts';
import { median, middleHalf, ratios } from '../statistics.ts';

const rounds = 41;
const pagesPerRound = 100;

const text = pageAfter(Number.NaN, 100);
const options = { baseUrl: 'http://127.0.0.1:1' };
const connection = resolveConnection<ConnectionOptions>(
  options,
  optionsOf(connectionFields),
  [],
  runtimeTransport,
);
const holds = { object: 'customer', plurals: ['customers'], schema: customerSchema };
const head = { status: 200, ok: true, headers: { get: () => null, web: new Headers() } };
const response: ReceivedResponse = { ...head, text, bytes: text.length, complete: true, validUtf8: true };
const secretKey = 'sk_v1_test_bench';
const path = '/v1/customers';

const call = new PreparedCall(
  {
    identity: new RunningCall(connection, 'customers.list'),
    route: { method: 'GET', path, source: 'shown' },
    movesMoney: false,
    secret: { keyOption: 'secretKey', value: secretKey },
    options: {},
    idempotencyKey: undefined,
    encoded: { path, query: '', body: noBody },
  },
  secretKey,
);

/** The response of a call that was sent. */
const sent: Sent = { call, response, attempts: 1, outcome: 'not_executed' };

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
    const read = () => returnedPage(holds, beginTrail(undefined)).read(sent, {});
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
        target: '≤ 1.6 × JSON.parse',
        figure: times(median(each)),
        isMet: median(each) <= 1.6,
        spread: middleHalf(each),
        measured: [
          ['payments-client', micros(median(ours))],
          ['JSON.parse', micros(median(bare))],
        ],
      },
    ];
  },
};
