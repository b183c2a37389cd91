import { accessSync, constants, existsSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { errorCode } from '../base/thrown.ts';
import {
  type Leftover,
  type Line,
  listRequests,
  methodOf,
  type Need,
  probe,
  type Question,
  type Report,
  type Service,
  type ServiceOptions,
  send,
  targetOf,
  writeInterfaceFile,
} from '../probe/index.node.ts';
import type { Console, Style, Surroundings } from './console.ts';
import { allowed, keysOfUser, type ProbeGiven, serviceOf, serviceOptions } from './probe-options.ts';
import { startWebhook } from './probe-webhook.ts';
import { Failure } from './problems.ts';
import { visible } from './visible.ts';

const styles: Readonly<Record<Line['verdict'], Style>> = {
  'as assumed': 'green',
  differs: 'yellow',
  'not seen': 'dim',
  'not asked': 'dim',
};

/** Formats a line: `differs: …`, `not asked (needs --create)`. */
function toText({ id, title, verdict, detail }: Line, console: Console): string {
  const colon = verdict === 'not asked' ? ` (${detail})` : detail === undefined ? '' : `: ${detail}`;
  return `${id.padEnd(4)} ${title.padEnd(44)} ${console.paint(styles[verdict], verdict)}${visible(colon)}`;
}

function progressOf(console: Console) {
  return (question: Question, count: number): void =>
    console.rewrite(`${count}  ${methodOf(question)} ${visible(targetOf(question))}`);
}

function cannotWrite(path: string, error: unknown): Failure {
  return new Failure('FILE_NOT_USABLE', `expected to write ${path}, got ${String(errorCode(error))}.`);
}

/** Checks the file before the probe, which takes a while. It may contain manual corrections. */
function checkFile(path: string, force: boolean): void {
  try {
    accessSync(dirname(path), constants.W_OK);
  } catch (error) {
    throw cannotWrite(path, error);
  }
  if (force || !existsSync(path)) return;
  const advice = 'Replace it with --force, or name another file with --out.';
  throw new Failure('FILE_NOT_USABLE', `expected to write a new file, but ${path} exists. ${advice}`);
}

function write(path: string, { known }: Report, force: boolean): void {
  try {
    writeFileSync(path, writeInterfaceFile(known), { flag: force ? 'w' : 'wx' });
  } catch (error) {
    throw cannotWrite(path, error);
  }
}

async function dryRun(allows: ReadonlySet<Need>, console: Console): Promise<void> {
  const requests = await listRequests(allows);
  for (const request of requests) console.print({ request }, request);
  console.tell(
    `At most these ${requests.length} requests. A service that is mostly as assumed gets far fewer.`,
  );
}

async function ask(
  options: ServiceOptions,
  service: Service,
  given: ProbeGiven,
  console: Console,
  signal: AbortSignal,
): Promise<Report> {
  const webhook = await startWebhook(given, console);
  try {
    return await probe({
      allows: allowed(given, options),
      keys: keysOfUser(options),
      pace: given.pace ?? 100,
      maxRequests: given.maxRequests ?? 500,
      ask: (question) => send(question, service),
      onQuestion: progressOf(console),
      webhook: webhook && ((isStopped) => webhook.read(isStopped, signal)),
      signal,
    });
  } finally {
    webhook?.close();
    console.rewrite('');
  }
}

/** Prints what the probe could not delete. */
function printLeftover(leftover: Leftover, console: Console): void {
  const { path, id, reason } = leftover;
  const named = id === undefined ? `an object of ${path} without a known id` : `${path}/${id}`;
  console.print({ left_behind: leftover }, `Left behind: ${named} (${reason}). Delete or void it by hand.`);
}

/** Probes a service, prints a line for each gap, and writes the result to a file. */
export async function runProbe(
  given: ProbeGiven,
  console: Console,
  untilInterrupted: Surroundings['untilInterrupted'],
): Promise<void> {
  const options = serviceOptions(given);
  if (given.dryRun) return dryRun(allowed(given, options), console);
  const service = serviceOf(options);
  const { out = 'payments.interface.json', force = false } = given;
  checkFile(out, force);
  const interruption = new AbortController();
  void untilInterrupted().then(() => interruption.abort());
  const report = await ask(options, service, given, console, interruption.signal);
  for (const line of report.lines) console.print(line, toText(line, console));
  for (const leftover of report.leftovers) printLeftover(leftover, console);
  if (report.stopped !== undefined)
    throw new Failure('PROBE_STOPPED', `stopped: ${report.stopped}; nothing was written.`);
  write(out, report, force);
  console.tell(
    `Wrote ${out} after ${report.requests} requests. Set PAYMENTS_INTERFACE to its path, or pass its content to new PaymentsClient({ interface }).`,
  );
}
