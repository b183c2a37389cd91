/**
 * How many events a second are verified, parsed and typed, beside stripe-node's `constructEvent` and the `standardwebhooks`
 * package, each against our scheme of its family, in alternating rounds of one process. Prints one table and ends with an
 * error where a peer is clearly ahead.
 *
 *     npm run bench:webhooks
 */

import { Webhook } from 'standardwebhooks';
import { Stripe } from 'stripe';
import { standardWebhooks, timestampedHmac, Webhooks } from '../src/webhooks/index.ts';
import { validObject } from '../test/resources/samples.ts';

const rounds = 31;
/** Long enough for the clock, short enough for a pause of the machine to spoil one round only. */
const roundMs = 40;

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const header = 'stripe-signature';

const bodies = {
  refund: { type: 'refund.failed', operations: ['retry'], data: { object: validObject('refund') } },
  checkout: {
    type: 'checkout.session.completed',
    operations: ['refund'],
    data: { object: validObject('checkout_session') },
  },
};

function bytesOf(event: object): Buffer {
  const envelope = {
    id: 'evt_1',
    api_version: '2026-01-31',
    created: '2026-01-31T12:00:00Z',
    livemode: false,
  };
  return Buffer.from(JSON.stringify({ ...envelope, ...event }));
}

const timestamped = new Webhooks({ secret, scheme: timestampedHmac({ header }) });
const standard = new Webhooks({ secret, scheme: standardWebhooks() });
const peer = new Webhook(secret);

type Run = () => unknown;
type Headers = Readonly<Record<string, string>>;

interface Race {
  readonly name: string;
  readonly ours: Run;
  readonly theirs: Run;
}

function racesOf(name: string, body: Buffer, byTime: Headers, byStandard: Headers): Race[] {
  return [
    {
      name: `${name}, ${body.length} bytes: stripe constructEvent`,
      ours: () => timestamped.verifySync(body, byTime),
      theirs: () => Stripe.webhooks.constructEvent(body, byTime[header] ?? '', secret),
    },
    {
      name: `${name}, ${body.length} bytes: stripe constructEventAsync`,
      ours: () => timestamped.verify(body, byTime),
      theirs: () => Stripe.webhooks.constructEventAsync(body, byTime[header] ?? '', secret),
    },
    {
      name: `${name}, ${body.length} bytes: standardwebhooks verify`,
      ours: () => standard.verifySync(body, byStandard),
      theirs: () => peer.verify(body, { ...byStandard }),
    },
  ];
}

/** Events a second in one round. */
async function measure(run: Run): Promise<number> {
  const start = performance.now();
  let count = 0;
  let elapsed = 0;
  while (elapsed < roundMs) {
    for (let batch = 0; batch < 50; batch += 1) await run();
    count += 50;
    elapsed = performance.now() - start;
  }
  return (count * 1000) / elapsed;
}

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

async function race({ name, ours, theirs }: Race) {
  const own: number[] = [];
  const other: number[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const [first, second] = [await measure(ours), await measure(theirs)];
    // The first round warms up.
    if (round > 0) {
      own.push(first);
      other.push(second);
    }
  }
  const ratios = own.map((rate, index) => rate / (other[index] ?? rate));
  return {
    against: name,
    ours: Math.round(median(own)),
    theirs: Math.round(median(other)),
    ratio: median(ratios),
  };
}

const results = [];
for (const [name, event] of Object.entries(bodies)) {
  const body = bytesOf(event);
  const races = racesOf(name, body, await timestamped.sign(body), await standard.sign(body));
  for (const one of races) results.push(await race(one));
}

console.table(results.map(({ ratio, ...row }) => ({ ...row, 'times as fast': ratio.toFixed(2) })));
/** A busy machine moves a ratio by some hundredths; a tenth is a regression. */
const clearlyBehind = 0.9;
const behind = results.filter(({ ratio }) => ratio < clearlyBehind);
if (behind.length > 0) {
  console.error(`A peer is ahead: ${behind.map(({ against }) => against).join('; ')}`);
  process.exitCode = 1;
}
