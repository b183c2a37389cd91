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
import { startProcess, startProgram } from './lossy-sandbox.ts';
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
  /(?:refunds|subscriptions|creditNotes)\.create|confirm\(|capture\(|retryWith|\btransact\b|settleOrder|noteSession/;
const snippets = await readSnippets();
/** Those with a server of their own would leave it behind. */
const programs = snippets.filter(
  ({ isModule, code }) => !isModule && movesMoney.test(code) && !code.includes('app.listen'),
);

/** A function of a guide that people copy, and how they call it. */
interface Copied {
  readonly program: string;
  readonly name: string;
  readonly args: readonly unknown[];
  readonly ledger: Readonly<Record<string, number>>;
  readonly ends: string;
}

const functions: readonly Copied[] = [
  {
    program: 'docs-declines-md-2',
    name: 'tryCard',
    args: ['pm_card'],
    ledger: { 'charge 1200': 1 },
    ends: 'Thank you.',
  },
  {
    program: 'docs-saved-cards-md-1',
    name: 'chargeLater',
    args: ['order-8', 900],
    ledger: { 'charge 1200': 1, 'charge 900': 1 },
    ends: 'succeeded',
  },
];

/** The program of a function before its first use, as a module that exports it. */
function moduleOf({ program, name }: Copied): Snippet {
  const found = snippets.find((snippet) => snippet.name === program);
  const [before, use] = found?.code.split('\nconsole.log(await', 2) ?? [];
  if (found === undefined || use === undefined)
    throw new Error(`Expected the function ${name} in ${program}.`);
  const path = found.path.replace(/[^/]*$/, `${name}.ts`);
  return { ...found, path, isModule: true, code: `${before}\nexport { ${name} as act };\n` };
}

beforeAll(() => writeSnippets([...snippets, ...functions.map(moduleOf)].map(onLossySandbox), folder));

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

it.each(functions.flatMap((copied) => refusals.map((refusal) => ({ ...copied, refusal }))))(
  '$name of $program asks for no other card after a lost reply and $refusal.kind',
  async ({ refusal, args, ledger, ends, ...copied }) => {
    const operation = 'paymentIntents.confirm';
    const { path } = moduleOf({ args, ledger, ends, ...copied });
    const sandboxes = startProgram(({ faults }) => {
      faults.inject({ kind: 'drop_reply', operation });
      faults.inject({ ...refusal, operation, skip: 1 });
    });
    const said: string[] = [];
    for (const _ of [1, 2, 3, 4, 5]) {
      startProcess();
      const { act } = Object(await runModule(path));
      said.push(await act(...args).catch((error: Error) => error.name));
      expect(await ledgerOf(sandboxes)).toEqual(ledger);
    }
    expect(said.join(' ')).not.toMatch(/another card|ask the buyer/);
    expect(said.at(-1)).toBe(ends);
  },
);
