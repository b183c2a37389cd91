/**
 * The programs of README and guides, when the service acts on a POST, its reply is lost, and the next ones are refused: nothing acts
 * twice. The sandbox's ledger is the judge.
 */

import { fileURLToPath } from 'node:url';
import type { Fault, Sandbox } from 'payments-client-sandbox';
import { beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { startAnew } from '../support/new-process.ts';
import { movedIn } from '../support/sandbox.ts';
import { everyNth } from '../support/size.ts';
import { startProgram } from './lossy-sandbox.ts';
import { readSnippets, type Snippet, writeSnippets } from './snippets.ts';

const folder = new URL('../.tmp/snippets-after-a-loss/', import.meta.url);
const lossySandbox = fileURLToPath(new URL('lossy-sandbox.ts', import.meta.url));

/** A program whose sandboxes are lossy. */
function onLossySandbox({ code, ...snippet }: Snippet): Snippet {
  return {
    ...snippet,
    code: code.replaceAll(/from 'payments-client-sandbox(?:\/testing)?'/g, `from '${lossySandbox}'`),
  };
}

const movesMoney =
  /(?:refunds|subscriptions|creditNotes)\.create|confirm\(|capture\(|retryWith|\btransact\b|orders\.(?:charge|checkout|refund|sell)/;
const snippets = await readSnippets();
/** Those with a server of their own would leave it behind, and those of one shop share its sandbox. */
const isShared = /app\.listen|server\.close|\.\/tea\.ts/;
const programs = snippets.filter(
  ({ isModule, code }) => !isModule && movesMoney.test(code) && !isShared.test(code),
);

beforeAll(() => writeSnippets(snippets.map(onLossySandbox), folder));

const printed: string[] = [];
beforeEach(() => {
  for (const name of ['log', 'warn', 'error'] as const)
    vi.spyOn(console, name).mockImplementation((...values: unknown[]) => void printed.push(values.join(' ')));
});

let imports = 0;

/** Runs a module as a new process, and returns what it exports, or nothing after an error. */
async function runModule(path: string): Promise<unknown> {
  startAnew();
  imports += 1;
  const url = `${fileURLToPath(new URL(path, folder))}?run=${imports}`;
  return await import(/* @vite-ignore */ url).catch(() => undefined);
}

/** How often money moved, by what moved it. */
async function ledgerOf(sandboxes: readonly Sandbox[]): Promise<Readonly<Record<string, number>>> {
  const moved: string[] = [];
  for (const sandbox of sandboxes) {
    moved.push(...(await movedIn(sandbox)));
    for (const { type, amount } of sandbox.transactions) moved.push(`${type} ${amount}`);
  }
  return Object.fromEntries(
    [...Map.groupBy(moved, (what) => what)].map(([what, times]) => [what, times.length]),
  );
}

/** Refuses after a lost reply. */
const refusals = [
  { kind: 'rate_limit', retryAfter: 0, times: 2 },
  { kind: 'respond', status: 403, body: { code: 'FORBIDDEN' }, times: 1 },
  { kind: 'refuse_connection', times: 3 },
] as const satisfies readonly Fault[];

/** The place of the loss, and what follows it. */
interface Plan {
  readonly skip: number;
  readonly refusal?: (typeof refusals)[number];
}

const route = 'POST /*';

it.each(programs)('$name acts once whichever reply is lost', async ({ path }) => {
  const sandboxes = startProgram(() => {});
  await runModule(path);
  const usual = await ledgerOf(sandboxes);
  const posts = Math.max(
    0,
    ...sandboxes.map(({ requests }) => requests.filter(({ method }) => method === 'POST').length),
  );
  expect(posts).toBeGreaterThan(0);
  const places = Array.from({ length: posts }, (_, skip) => ({ skip }));
  const plans = places.flatMap(({ skip }) => refusals.map((refusal) => ({ skip, refusal })));
  const tried: readonly Plan[] = [...places, ...everyNth(plans, 2, 1)];
  for (const { skip, refusal } of tried) {
    const lossy = startProgram(({ faults }) => {
      faults.inject({ kind: 'drop_reply', route, skip });
      if (refusal !== undefined) faults.inject({ ...refusal, route, skip: skip + 1 });
    });
    await runModule(path);
    for (const [what, times] of Object.entries(await ledgerOf(lossy)))
      expect(times, `${what}, ${refusal?.kind ?? 'nothing'} after the loss of ${skip}`).toBeLessThanOrEqual(
        usual[what] ?? 0,
      );
    for (const sandbox of lossy) await sandbox.close();
  }
});
