/** What every program must see, and where runtimes may differ. */

import type { Outcome } from 'payments-client';
import type { Run } from './kind.ts';
import type { Visited } from './pages/visit.ts';
import type { Seen } from './programs/service.ts';

/** What depends on the runtime. */
export interface Traits {
  /** Whether requests go over the runtime's `fetch`, as they do in every build but Node's. */
  readonly isCarriedByFetch: boolean;
  /** What a refused connection is told as. `unknown` where the runtime does not say that it was refused. */
  readonly refused: Outcome;
}

/** What a case must give: what its program must see, and the main entries that it must load. */
export function wantedRun({ isCarriedByFetch }: Traits, seen: unknown, ...files: readonly string[]): Run {
  return { seen, files, transport: isCarriedByFetch ? 'fetch' : 'node:http' };
}

const intent = { amount: 1200, hasSameId: true, replayed: [false, true] };
const webhook = { type: 'refund.failed', forged: 'no_match' };

/** What the story must give. */
function wantedStory({ isCarriedByFetch, refused }: Traits): Seen {
  return {
    ...{ isCarriedByFetch, intent, webhook },
    refund: {
      lost: { name: 'ConnectionError', outcome: 'unknown' },
      ...{ amount: 500, attempts: 2, replayed: true },
    },
    list: { products: 5 },
    sale: {
      ...{ approved: true, avs: 'Y', risk: 'low' },
      lost: { name: 'ConnectionError', outcome: 'unknown' },
      multipart: { approved: true, orderid: 'Tee für 2' },
    },
    notFound: { name: 'NotFoundError', outcome: 'not_executed', isOfItsClasses: true, isError: true },
    refused: { name: 'ConnectionError', outcome: refused },
    givenUp: {
      aborted: { name: 'RequestAbortedError', outcome: 'not_executed' },
      timedOut: { name: 'TimeoutError', outcome: 'unknown' },
    },
  };
}

/** Three sales, of which one lost its reply: a card that was charged a fourth time was charged behind our back. */
const charged = { charges: 3 };

/** What a sandbox in the program's own process must give: its `fetch` carries the requests. */
function wantedInProcess(traits: Traits): Seen {
  return { ...wantedStory({ ...traits, isCarriedByFetch: false }), ...charged };
}

/** What `process.ts` must give. */
export function wantedOfProcess(traits: Traits): Seen {
  return {
    overHttp: wantedStory(traits),
    inProcess: wantedInProcess(traits),
    listening: { ...wantedStory(traits), ...charged },
    ...charged,
  };
}

/** What `worker.ts` must give. */
export function wantedOfWorker(traits: Traits): Seen {
  return { ...wantedStory(traits), ...charged };
}

/** What `sandbox-worker.ts` must give, which leaves its caller's sandbox alone. */
export function wantedOfSandboxWorker(traits: Traits): Seen {
  return { inProcess: wantedInProcess(traits), canListen: false, charges: 0 };
}

/** What `both.ts` must give, whose requests a function answers. */
export function wantedOfBoth(...files: readonly string[]): Run {
  const seen = { areTwo: true, esmKnowsCommonJs: true, commonJsKnowsEsm: true, esmKnowsWebhooks: true };
  return { seen, files, transport: 'none' };
}

/** What the client must give in a page. A payment intent is charged without a card sale of the form endpoint. */
export const wantedOfClientInPage: Seen = { isCarriedByFetch: true, intent, webhook, charges: 0 };

/** What a page must see. */
export const wantedOfPage: Visited = { refused: 'secret_key', hasSession: true, authenticated: true };
