/** The expected observations of every program, and the allowed differences between runtimes. */

import type { Outcome } from 'payments-client';
import type { Run } from './kind.ts';
import type { Visited } from './pages/visit.ts';
import type { Seen } from './programs/service.ts';

/** The properties of a runtime. */
export interface Traits {
  /** Whether requests use the runtime's `fetch`, as in every build but Node's. */
  readonly isCarriedByFetch: boolean;
  /** The reported outcome of a refused connection. `unknown` if the runtime does not report the refusal. */
  readonly refused: Outcome;
}

/** The expected result of a case: its observations, and the main entries that it loads. */
export function wantedRun({ isCarriedByFetch }: Traits, seen: unknown, ...files: readonly string[]): Run {
  return { seen, files, transport: isCarriedByFetch ? 'fetch' : 'node:http' };
}

const intent = { amount: 1200, hasSameId: true, replayed: [false, true] };
const webhook = { type: 'refund.failed', forged: 'no_match' };

/** The expected result of the story. */
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

/** Three sales, of which one lost its reply: a fourth charge would be a duplicate. */
const charged = { charges: 3 };

/** The expected result of a sandbox in the program's own process: its `fetch` carries the requests. */
function wantedInProcess(traits: Traits): Seen {
  return { ...wantedStory({ ...traits, isCarriedByFetch: false }), ...charged };
}

/** The expected result of `process.ts`. */
export function wantedOfProcess(traits: Traits): Seen {
  return {
    overHttp: wantedStory(traits),
    inProcess: wantedInProcess(traits),
    listening: { ...wantedStory(traits), ...charged },
    ...charged,
  };
}

/** The expected result of `worker.ts`. */
export function wantedOfWorker(traits: Traits): Seen {
  return { ...wantedStory(traits), ...charged };
}

/** The expected result of `sandbox-worker.ts`, which does not use its caller's sandbox. */
export function wantedOfSandboxWorker(traits: Traits): Seen {
  return { inProcess: wantedInProcess(traits), canListen: false, charges: 0 };
}

/** The expected result of `both.ts`, whose requests a function answers. */
export function wantedOfBoth(...files: readonly string[]): Run {
  const seen = { areTwo: true, esmKnowsCommonJs: true, commonJsKnowsEsm: true, esmKnowsWebhooks: true };
  return { seen, files, transport: 'none' };
}

/** The expected result of the client in a page. A payment intent is charged without a card sale of the form endpoint. */
export const wantedOfClientInPage: Seen = { isCarriedByFetch: true, intent, webhook, charges: 0 };

/** The expected result of a page. */
export const wantedOfPage: Visited = { refused: 'secret_key', hasSession: true, authenticated: true };
