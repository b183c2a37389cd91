/** The expected observations of every program, and the allowed differences between runtimes. */

import type { Outcome } from 'payments-client';
import type { VisitResult } from './pages/visit.ts';
import type { Run } from './platform.ts';
import { brokenKinds, type Observations } from './programs/service.ts';

export interface Traits {
  /** Whether requests use the runtime's `fetch`, as in every build but Node's. */
  readonly usesFetch: boolean;
  /** The reported outcome of a refused connection. `unknown` if the runtime does not report the refusal. */
  readonly refused: Outcome;
}

/** The expected result of a case: its observations, and the main entries that it loads. */
export function expectedRun({ usesFetch }: Traits, observed: unknown, ...files: readonly string[]): Run {
  return { observed, files, transport: usesFetch ? 'fetch' : 'node:http' };
}

const intent = { amount: 1200, hasSameId: true, replayed: [false, true] };
const webhook = { type: 'refund.failed', forged: 'no_match' };

function expectedScenario({ usesFetch, refused }: Traits): Observations {
  return {
    usesFetch,
    intent,
    webhook,
    refund: {
      lost: { name: 'ConnectionError', outcome: 'unknown' },
      amount: 500,
      attempts: 2,
      replayed: true,
    },
    list: { products: 5 },
    sale: {
      approved: true,
      avs: 'Y',
      risk: 'low',
      lost: { name: 'ConnectionError', outcome: 'unknown' },
      multipart: { approved: true, orderid: 'Tee für 2' },
    },
    notFound: { name: 'NotFoundError', outcome: 'not_executed', hasItsClasses: true, isError: true },
    refused: { name: 'ConnectionError', outcome: refused },
    broken: Object.fromEntries(
      brokenKinds.map((kind) => [
        kind,
        // The form endpoint says only in its body whether it took effect.
        { attempts: 2, sale: { isOfNetwork: true, outcome: 'unknown' } },
      ]),
    ),
    interrupted: {
      aborted: { name: 'RequestAbortedError', outcome: 'not_executed' },
      timedOut: { name: 'TimeoutError', outcome: 'unknown' },
    },
  };
}

/** Three sales, one of which lost its reply: a fourth charge would be a duplicate. */
const charged = { charges: 3 };

/** The expected result of a sandbox in the program's own process: its `fetch` handles the requests. */
function expectedInProcess(traits: Traits): Observations {
  return { ...expectedScenario({ ...traits, usesFetch: false }), ...charged };
}

/** The expected result of `process.ts`. */
export function expectedOfProcess(traits: Traits): Observations {
  return {
    overHttp: expectedScenario(traits),
    inProcess: expectedInProcess(traits),
    listening: { ...expectedScenario(traits), ...charged },
    ...charged,
  };
}

/** The expected result of `worker.ts`. */
export function expectedOfWorker(traits: Traits): Observations {
  return { ...expectedScenario(traits), ...charged };
}

/** The expected result of `sandbox-worker.ts`, which does not use its caller's sandbox. */
export function expectedOfSandboxWorker(traits: Traits): Observations {
  return { inProcess: expectedInProcess(traits), canListen: false, charges: 0 };
}

/** The expected result of `both-builds.ts`, which uses a `fetch` of its own. */
export function expectedOfBoth(...files: readonly string[]): Run {
  const observed = {
    areDistinct: true,
    esmRecognizesCommonJs: true,
    commonJsRecognizesEsm: true,
    esmRecognizesWebhookErrors: true,
  };
  return { observed, files, transport: 'none' };
}

/** The expected result of `receiver.ts`. */
export const expectedOfReceiver: Run = {
  observed: { signed: 200, unsigned: 400, handled: ['evt_1'] },
  files: [],
  transport: 'none',
};

/** The expected result of the client in a page. A payment intent is charged without a card sale of the form endpoint. */
export const expectedOfClientInPage: Observations = { usesFetch: true, intent, webhook, charges: 0 };

/** The expected result of a page. */
export const expectedOfPage: VisitResult = { refused: 'secret_key', hasSession: true, authenticated: true };
