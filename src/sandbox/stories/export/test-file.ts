import { deliveryFaultKinds } from '../../domain/records/delivery-fault.ts';
import type { Entry } from '../entry.ts';
import type { Story } from '../story.ts';
import { type Code, call, quote, toCode, write } from './code-text.ts';
import { endpointsCode } from './endpoint-code.ts';
import { entriesToReplay, type ReplayedEntry } from './entries-to-replay.ts';
import type { ExportContext } from './export-context.ts';
import { IdCodes } from './id-codes.ts';
import { notReplayable } from './not-replayable.ts';
import { ReplayWriter } from './replay-writer.ts';
import { sandboxOptions } from './sandbox-options.ts';
import { Script } from './test-script.ts';

const indent = '  ';

/** Whether deliveries met faults, which the test does not repeat. */
function hasDeliveryFaults(recorded: readonly Entry[]): boolean {
  return recorded.some(
    (entry) =>
      entry.kind === 'action' &&
      entry.name === 'faults.inject' &&
      deliveryFaultKinds.some((kind) => kind === entry.details['kind']),
  );
}

function verdictText({ story, own, recorded }: ExportContext, id: string): string {
  const { verdict, charges, net, notes, webhooks } = story;
  const hasDeliveries = own.some(({ kind }) => kind === 'delivery') && !hasDeliveryFaults(recorded);
  const expected = toCode({ verdict, charges, net, notes, ...(hasDeliveries && { webhooks }) });
  const settled = hasDeliveries ? `${indent}await sandbox.settled();\n` : '';
  const assertion = call(`expect(sandbox.story(${id})).toMatchObject`, [expected]);
  return `${settled}${indent}${write(assertion, indent, 1)};\n`;
}

function idCode({ id, objects }: Story, ids: IdCodes): string {
  return objects.some((object) => object.id === id) ? ids.codeOf(id) : quote(id);
}

function firstOf(entries: readonly ReplayedEntry[]): ReplayedEntry {
  const [first] = entries;
  if (first !== undefined) return first;
  throw notReplayable('the requests behind it were not recorded.');
}

/** Returns the options of the test's client. */
function clientCode(statements: string, hasInterface: boolean): Code {
  const fields: readonly (readonly [string, Code])[] = [
    ['baseUrl', 'sandbox.url'],
    ['secretKey', 'sandbox.secretKey'],
    ...(statements.includes('payments.transact.') ? [['securityKey', 'sandbox.securityKey'] as const] : []),
    ...(hasInterface ? [['interface', 'serviceInterface'] as const] : []),
    ['maxRetries', '0'],
  ];
  return call('new PaymentsClient', [{ kind: 'object', fields }]);
}

/** Returns the text before the first statement of the story. */
function openingText({ story, options }: ExportContext, startsAt: number, script: Script): string {
  const { beforehand, statements } = script.write(indent);
  const forms = options['interface'];
  const cards = statements.includes('testCards.') ? ', testCards' : '';
  const newSandbox = call('createSandbox', [sandboxOptions(options, startsAt)]);
  const title = quote(`${story.title}: ${story.verdict.replaceAll('_', ' ')}`);
  return [
    "import { PaymentsClient } from 'payments-client';\n",
    `import { createSandbox${cards} } from 'payments-client/sandbox';\n`,
    "import { expect, onTestFinished, test } from 'vitest';\n\n",
    `test(${title}, async () => {\n`,
    forms === undefined
      ? ''
      : `${indent}const serviceInterface = ${write(toCode(forms), indent, 35)} as const;\n`,
    `${indent}const sandbox = ${write(newSandbox, indent, 17)};\n`,
    `${indent}onTestFinished(() => sandbox.close());\n`,
    beforehand,
    `${indent}await sandbox.listen();\n`,
    `${indent}// Each attempt of the app is a separate call.\n`,
    `${indent}const payments = ${write(clientCode(statements, forms !== undefined), indent, 18)};\n`,
  ].join('');
}

/**
 * Returns a Vitest file that replays a story in a new sandbox and expects the same verdict.
 *
 * @throws Problem with the reason when that is impossible.
 */
export function testFile(context: ExportContext): string {
  const { story, duplicate, own, state } = context;
  const entries = entriesToReplay(context);
  const startsAt = Math.min(
    firstOf(entries).at,
    story.startedAt,
    duplicate?.startedAt ?? Number.POSITIVE_INFINITY,
  );
  const script = new Script();
  const ids = new IdCodes(context, script);
  const writer = new ReplayWriter(context, script, ids, startsAt);
  ids.recreateEarlier(own);
  for (const entry of entries) writer.write(entry);
  writer.advanceTo(Math.max(story.endedAt, duplicate?.endedAt ?? 0));
  ids.moveTo(Number.POSITIVE_INFINITY);
  const verdict = verdictText(context, idCode(story, ids));
  const opening = openingText(context, startsAt, script);
  const endpoints = endpointsCode(own, state);
  return `${opening}${endpoints}\n${script.write(indent).statements}\n${verdict}});\n`;
}
