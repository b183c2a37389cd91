/** Reaches inside: the types of the control API's stories are not public. */

import type { PaymentsClient } from 'payments-client';
import { createSandbox, type Sandbox } from 'payments-client/sandbox';
import { replay } from 'payments-client/testing';
import { expect } from 'vitest';
import type { Entry } from '../../../src/sandbox/stories/entry.ts';
import type { Story } from '../../../src/sandbox/stories/whole-story.ts';
import { clientOf, startSandbox } from '../../support/sandbox.ts';
import type { RecordedStory } from './recorded-stories.ts';

/** Calls the control API. */
async function control(sandbox: Sandbox, path: string): Promise<Response> {
  const headers = { authorization: `Bearer ${sandbox.secretKey}` };
  return sandbox.fetch(new Request(`${sandbox.url}/_sandbox/${path}`, { headers }));
}

/** A story as it happened. */
export interface RecordedRun {
  readonly sandbox: Sandbox;
  readonly payments: PaymentsClient;
  readonly id: string;
}

/** Runs a story in a sandbox that records. */
export async function record({ options, make }: RecordedStory): Promise<RecordedRun> {
  const sandbox = await startSandbox(options);
  const forms = options?.interface === undefined ? {} : { interface: options.interface };
  const payments = clientOf(sandbox, forms);
  return { sandbox, payments, id: await make({ sandbox, payments }) };
}

/** Returns a story of a sandbox as a test file. */
export async function exportedText({ sandbox, id }: Pick<RecordedRun, 'sandbox' | 'id'>): Promise<string> {
  const response = await control(sandbox, `stories/${encodeURIComponent(id)}/test`);
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  return text;
}

/** Returns the exported test of a story. */
export async function exportOf(story: RecordedStory): Promise<string> {
  return exportedText(await record(story));
}

/** An exported test after it ran in this process. */
interface ExportedRun {
  readonly sandbox: Sandbox;
  /** The id of the story that it judged. */
  readonly id: string;
}

/** Runs an exported test in this process. */
export async function runExported(text: string): Promise<ExportedRun> {
  const script = text.replaceAll(/^import .*\n/gm, '').replace(': readonly ReplayEntry[]', '');
  const found: ExportedRun[] = [];
  const create: typeof createSandbox = (options) => {
    const sandbox = createSandbox(options);
    const story = sandbox.story.bind(sandbox);
    sandbox.story = (id) => {
      found.push({ sandbox, id });
      return story(id);
    };
    return sandbox;
  };
  let run: Promise<void> | undefined;
  const test = (_: string, work: () => Promise<void>) => {
    run = work();
  };
  new Function('createSandbox', 'replay', 'expect', 'test', script)(create, replay, expect, test);
  await run;
  const [judged] = found;
  if (judged === undefined) throw new Error('The test judged no story.');
  return judged;
}

/** Values that each sandbox draws anew. */
const drawn = /(?<="(?:authorization_code|authcode|client_secret|number|origin)":")[^"]*|(?<=REFID:)\d+/g;
const idForm = /(?:\b[a-z]+_|(?<="))[a-z\d]{16}\b|(?<=")\d{10}(?=")/g;

/** Returns the changes and deliveries of a story, with numbers in place of ids. */
export async function effectsOf({ sandbox, id }: ExportedRun): Promise<readonly string[]> {
  const response = await control(sandbox, `stories/${encodeURIComponent(id)}`);
  const { entries }: Story = JSON.parse(await response.text());
  const changes = entries.flatMap((entry: Entry) => (entry.kind === 'change' ? [entry] : []));
  const events = new Set(changes.flatMap((change) => change.events.map((event) => event.id)));
  const deliveries = sandbox.webhooks.deliveries().filter(({ eventId }) => events.has(eventId));
  const effects = [
    ...changes.map(({ at, object, before, after, events: emitted }) => [at, object, before, after, emitted]),
    ...deliveries.map(({ type, status, dueAt, attempts, replayed, tampering, held }) => {
      const tries = attempts.map((attempt) => [attempt.at, attempt.status]);
      return [type, status, dueAt, tries, replayed, tampering, held];
    }),
  ];
  const numbers = new Map<string, number>();
  const numberOf = (one: string) => {
    numbers.set(one, numbers.get(one) ?? numbers.size + 1);
    return `id ${numbers.get(one)}`;
  };
  return effects.map((effect) => JSON.stringify(effect).replaceAll(drawn, '').replaceAll(idForm, numberOf));
}
