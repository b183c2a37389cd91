/**
 * How many events a second are verified, parsed and typed, beside stripe-node's `constructEvent` and the `standardwebhooks`
 * package, each against our scheme of its family, in alternating rounds of one process.
 */

import { Webhook } from 'standardwebhooks';
import { Stripe } from 'stripe';
import { standardWebhooks, timestampedHmac, Webhooks } from '../../src/webhooks/index.ts';
import { validObject } from '../support/sample-objects.ts';
import { median, middleHalf, ratios } from './statistics.ts';

/** What came of one comparison. */
export interface Race {
  readonly peer: 'stripe constructEvent' | 'stripe constructEventAsync' | 'standardwebhooks verify';
  readonly event: string;
  readonly bytes: number;
  /** Events a second. */
  readonly ours: number;
  readonly theirs: number;
  /** How many times as fast as the peer. */
  readonly ratio: number;
  readonly spread: string;
}

const rounds = 31;
/** Long enough for the clock, short enough for a pause of the machine to spoil one round only. */
const roundMs = 40;

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const header = 'stripe-signature';

const events = {
  refund: { type: 'refund.failed', operations: ['retry'], data: { object: validObject('refund') } },
  'checkout session': {
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

interface Pair {
  readonly name: Race['peer'];
  readonly ours: Run;
  readonly theirs: Run;
}

function pairsOf(body: Buffer, byTime: Headers, byStandard: Headers): Pair[] {
  return [
    {
      name: 'stripe constructEvent',
      ours: () => timestamped.verifySync(body, byTime),
      theirs: () => Stripe.webhooks.constructEvent(body, byTime[header] ?? '', secret),
    },
    {
      name: 'stripe constructEventAsync',
      ours: () => timestamped.verify(body, byTime),
      theirs: () => Stripe.webhooks.constructEventAsync(body, byTime[header] ?? '', secret),
    },
    {
      name: 'standardwebhooks verify',
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

async function race({ ours, theirs }: Pair) {
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
  const each = ratios(own, other);
  return { ours: median(own), theirs: median(other), ratio: median(each), spread: middleHalf(each) };
}

/** Every comparison, one after the other. */
export async function runRaces(): Promise<readonly Race[]> {
  const results: Race[] = [];
  for (const [event, content] of Object.entries(events)) {
    const body = bytesOf(content);
    for (const pair of pairsOf(body, await timestamped.sign(body), await standard.sign(body))) {
      results.push({ peer: pair.name, event, bytes: body.length, ...(await race(pair)) });
    }
  }
  return results;
}
