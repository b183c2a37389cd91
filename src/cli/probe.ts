import { readFileSync, writeFileSync } from 'node:fs';
import { errorCode } from '../base/error-code.ts';
import { environmentVariable } from '../base/runtime.ts';
import {
  type DeliveryListener,
  type Finding,
  type Line,
  listenForDelivery,
  listRequests,
  methodOf,
  type Need,
  notSeen,
  probe,
  type Question,
  type Report,
  readDelivery,
  readWebhookForm,
  type ServiceOptions,
  send,
  serviceAt,
  targetOf,
  writeInterfaceFile,
} from '../probe/index.node.ts';
import { type Console, type Style, wantsJson } from './console.ts';
import { Failure, UsageProblem } from './problems.ts';
import { json, visible } from './visible.ts';

/** The options of `probe`. */
export interface ProbeGiven {
  readonly baseUrl?: string;
  readonly secretKey?: string;
  readonly securityKey?: string;
  readonly webhookSecret?: string;
  readonly create?: boolean;
  readonly form?: boolean;
  /** The file of a recorded delivery, or true to wait for one. */
  readonly webhook?: string | true;
  readonly webhookPort?: number;
  readonly out?: string;
  readonly dryRun?: boolean;
  readonly maxRequests?: number;
  readonly pace?: number;
  readonly json?: boolean;
}

const testKeyPrefix = 'sk_v1_test_';

/** How long a delivery is waited for, in ms. */
const deliveryTimeout = 5 * 60_000;

function required(value: string | undefined, variable: string, what: string): string {
  const found = value ?? environmentVariable(variable);
  if (found !== undefined) return found;
  throw new UsageProblem(`expected ${what}, as an option or in ${variable}, got nothing.`);
}

function serviceOptions(given: ProbeGiven): ServiceOptions {
  const secretKey = required(given.secretKey, 'PAYMENTS_SECRET_KEY', 'a --secret-key');
  if (given.create && !secretKey.startsWith(testKeyPrefix)) {
    throw new UsageProblem('expected a test key with --create, got another one.');
  }
  return {
    baseUrl: given.baseUrl ?? environmentVariable('PAYMENTS_BASE_URL'),
    secretKey,
    securityKey: given.form
      ? required(given.securityKey, 'PAYMENTS_SECURITY_KEY', 'a --security-key with --form')
      : '',
  };
}

function allowed({ create, form }: ProbeGiven, isTestKey: boolean): ReadonlySet<Need> {
  const allows = new Set<Need>();
  if (isTestKey) allows.add('a test key');
  if (create) allows.add('--create');
  if (form) allows.add('--form');
  return allows;
}

async function readRecorded(path: string, secret: string): Promise<Finding> {
  const delivery = readDelivery(readBytes(path));
  if (delivery !== undefined) return readWebhookForm(delivery, secret);
  throw new Failure(`expected headers, an empty line and a body in ${path}, got another text.`);
}

function readBytes(path: string): Uint8Array {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new Failure(`expected a file that can be read at ${path}, got ${String(errorCode(error))}.`);
  }
}

async function readFirst(listener: DeliveryListener, secret: string, console: Console): Promise<Finding> {
  console.tell('Waiting up to 5 minutes for a delivery.');
  const delivery = await listener.first(deliveryTimeout);
  return delivery === undefined ? notSeen('no delivery came') : readWebhookForm(delivery, secret);
}

/** Starts to find out how deliveries are signed; the result is asked for when all requests are done. */
async function startWebhook(
  given: ProbeGiven,
  console: Console,
): Promise<() => Promise<Finding | undefined>> {
  const { webhook } = given;
  if (webhook === undefined) return async () => undefined;
  const secret = required(
    given.webhookSecret,
    'PAYMENTS_WEBHOOK_SECRET',
    'a --webhook-secret with --webhook',
  );
  if (typeof webhook === 'string') {
    const finding = await readRecorded(webhook, secret);
    return async () => finding;
  }
  const listener = await listenForDelivery(given.webhookPort ?? 0);
  console.tell(
    `Have the service deliver an event to ${listener.url}, through a tunnel if it is not on this machine.`,
  );
  return () => readFirst(listener, secret, console);
}

const styles: Readonly<Record<Line['verdict'], Style>> = {
  'as assumed': 'green',
  differs: 'yellow',
  'not seen': 'dim',
  'not asked': 'dim',
};

/** A line for people: `differs: …`, `not asked (needs --create)`. */
function toText({ id, title, verdict, detail }: Line, console: Console): string {
  const colon = verdict === 'not asked' ? ` (${detail})` : detail === undefined ? '' : `: ${detail}`;
  return `${id.padEnd(4)} ${title.padEnd(44)} ${console.paint(styles[verdict], verdict)}${visible(colon)}`;
}

function progressOf(console: Console) {
  return (question: Question, count: number): void => {
    if (console.canRewrite)
      console.rewrite(`${count}  ${methodOf(question)} ${visible(targetOf(question))}`.slice(0, 79));
  };
}

function write(path: string, { known }: Report): void {
  try {
    writeFileSync(path, writeInterfaceFile(known));
  } catch (error) {
    throw new Failure(`expected to write ${path}, got ${String(errorCode(error))}.`);
  }
}

async function dryRun(allows: ReadonlySet<Need>, asJson: boolean, console: Console): Promise<void> {
  const requests = await listRequests(allows);
  for (const request of requests) console.print(asJson ? json({ request }) : request);
  console.tell(
    `At most these ${requests.length} requests; a service that is mostly as assumed is asked far fewer.`,
  );
}

/** Asks a service, prints a line for each gap, and writes down what was found. */
export async function runProbe(given: ProbeGiven, console: Console): Promise<void> {
  const asJson = wantsJson(given, console);
  const options = serviceOptions(given);
  const allows = allowed(given, options.secretKey.startsWith(testKeyPrefix));
  if (given.dryRun) return dryRun(allows, asJson, console);
  const service = serviceAt(options);
  const webhook = await startWebhook(given, console);
  const report = await probe({
    ...{ allows, webhook, pace: given.pace ?? 100, maxRequests: given.maxRequests ?? 500 },
    ask: (question) => send(question, service),
    onQuestion: progressOf(console),
  });
  if (console.canRewrite) console.rewrite('');
  for (const line of report.lines) console.print(asJson ? json(line) : toText(line, console));
  if (report.stopped !== undefined) throw new Failure(`stopped: ${report.stopped}; nothing was written.`);
  const out = given.out ?? 'payments.interface.json';
  write(out, report);
  console.tell(
    `Wrote ${out} after ${report.requests} requests. Name it in PAYMENTS_INTERFACE, or give its content to new PaymentsClient({ interface }).`,
  );
}
