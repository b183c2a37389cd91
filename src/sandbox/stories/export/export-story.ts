import { type State, usualMoney } from '../../domain/state.ts';
import type { RecordedChange, RecordedDelivery } from '../entry.ts';
import { shownEntry } from '../redact-body.ts';
import { withReferences } from '../references.ts';
import type { StoryLog } from '../stories.ts';
import { type ChosenEntries, chosenEntries } from './chosen-entries.ts';
import { StepEffects } from './replay-references.ts';
import { replaySteps, type Step } from './replay-steps.ts';
import type { StorySource } from './story-source.ts';

/** The sandbox that a story is exported from. */
interface ExportedSandbox {
  readonly storyLog: StoryLog;
  readonly state: State;
  /** The sandbox's options. */
  readonly options: Readonly<Record<string, unknown>>;
}

/** Writes a JSON value on one line of TypeScript. */
function dataText(value: unknown): string {
  const text = JSON.stringify(value, null, 1).replaceAll(/\n\s*/g, ' ');
  // A plain `__proto__` would set the prototype.
  return text.replaceAll(/(?<!\\)"__proto__":/g, '["__proto__"]:');
}

/** The defaults of the options that decide the result of a payment. */
const usual: Readonly<Record<string, unknown>> = {
  unknownTokens: 'approve',
  onlyShownFields: false,
  velocityRules: [],
  interface: undefined,
  ...usualMoney,
};

/**
 * Returns the options of the new sandbox: its start time, and the values that differ from the defaults. Those that may hold a
 * function are no part: endpoints are entries, and a scheme signs for the shop's code only.
 */
function optionsOf(given: Readonly<Record<string, unknown>>, startsAt: number): object {
  const changed = Object.keys(usual).filter(
    (name) => given[name] !== undefined && JSON.stringify(given[name]) !== JSON.stringify(usual[name]),
  );
  return { startsAt, ...Object.fromEntries(changed.map((name) => [name, given[name]])) };
}

function changesText(changes: readonly RecordedChange[]): string {
  const states = new Map<string, string>();
  for (const { object, after } of changes) {
    const state = after === null ? 'removed' : after['status'];
    states.set(object.id, typeof state === 'string' ? `${object.kind} is ${state}` : object.kind);
  }
  return [...states.values()].join(', ');
}

function deliveriesText(deliveries: readonly RecordedDelivery[]): string {
  const texts = deliveries.map(
    ({ event, responseStatus }) => `${event.type} got ${responseStatus ?? 'no response'}`,
  );
  return [...new Set(texts)].join(', ');
}

/** Describes what a step did. */
function commentOf(step: Step, effects: StepEffects): string {
  const { comment, entry } = step;
  if (comment !== undefined) return comment;
  const texts = [changesText(effects.changesOf(step)), deliveriesText(effects.deliveriesOf(step))];
  const text = texts.filter((one) => one !== '').join('; ');
  if (entry?.kind !== 'request' || entry.source === 'buyer') return text === '' ? 'No change.' : `${text}.`;
  const { reply, arrived, replayed } = entry;
  const reached = arrived ? `Status ${reply?.status}` : 'No response';
  return `${reached}${replayed ? ', replayed' : ''}${text === '' ? '' : `: ${text}`}.`;
}

/** Returns the lines of the entries, in order. */
function entryLines(
  steps: readonly Step[],
  effects: StepEffects,
  times: { start: number; end: number },
): string {
  let now = times.start;
  const lines = steps.map((step, index) => {
    const n = index + 1;
    const { at = now, advance, fields } = step;
    const after = Math.max(0, at - now);
    now += after + advance;
    const data = Object.entries(fields).map(([name, field]) => [
      name,
      // A key may look like a reference.
      name === 'key' ? field : withReferences(field, (id) => effects.referenceTo(id, n)),
    ]);
    const entry = { n, ...(after > 0 && { after }), ...Object.fromEntries(data) };
    const comment = commentOf(step, effects).replaceAll(/\s+/g, ' ');
    return `    // ${comment}\n    ${dataText(entry)},\n`;
  });
  if (times.end > now) {
    const wait = { n: steps.length + 1, command: 'clock.advance', args: { advance: times.end - now } };
    lines.push(`    // Time passes.\n    ${dataText(wait)},\n`);
  }
  return lines.join('');
}

/** Returns the assertion of the verdict. */
function verdictLines({ story }: StorySource, effects: StepEffects): { text: string; usesIds: boolean } {
  const { id, verdict, charges, net, notes, webhooks } = story;
  const reference = effects.referenceTo(id, Number.POSITIVE_INFINITY);
  const target = reference === undefined ? dataText(id) : `idOf(${dataText(reference)})`;
  const hasDeliveries = webhooks.total > 0;
  const expected = { verdict, charges, net, notes, ...(hasDeliveries && { webhooks }) };
  return {
    text: `  expect(sandbox.story(${target})).toMatchObject(${dataText(expected)});\n`,
    usesIds: reference !== undefined,
  };
}

function earlierLines({ earlier }: ChosenEntries): string {
  const adds = earlier.map(
    ({ kind, id, fields }) => `  sandbox.add(${dataText(kind)}, ${dataText({ ...fields, id })});\n`,
  );
  return adds.length === 0 ? '' : `  // Objects that existed before the recording began.\n${adds.join('')}`;
}

/** Returns a Vitest file that replays a story in a new sandbox and expects the same verdict. */
function testFile(source: StorySource): string {
  const { story, twins, options } = source;
  const chosen = chosenEntries(source);
  const steps = replaySteps(chosen, source);
  const effects = new StepEffects(source, steps);
  const times = chosen.entries.map(({ at }) => at);
  const start = Math.min(...times, ...[story, ...twins].map(({ startedAt }) => startedAt));
  const end = Math.max(...[story, ...twins].map(({ endedAt }) => endedAt));
  const { text: verdict, usesIds } = verdictLines(source, effects);
  const title = dataText(`${story.title}: ${story.verdict.replaceAll('_', ' ')}`);
  return [
    "import { createSandbox } from 'payments-client/sandbox';\n",
    "import { type ReplayEntry, replay } from 'payments-client/testing';\n",
    "import { expect, test } from 'vitest';\n\n",
    `test(${title}, async () => {\n`,
    `  const sandbox = createSandbox(${dataText(optionsOf(options, start))});\n`,
    earlierLines(chosen),
    '  const entries: readonly ReplayEntry[] = [\n',
    entryLines(steps, effects, { start, end }),
    '  ];\n',
    `  ${usesIds ? 'const { idOf } = ' : ''}await replay(sandbox, entries);\n`,
    verdict,
    '});\n',
  ].join('');
}

/**
 * Exports a story as a test that replays it; `undefined` for an unknown story.
 *
 * @throws Problem `STORY_NOT_WHOLE` when it cannot be replayed.
 */
export function exportStory(id: string, { storyLog, state, options }: ExportedSandbox): string | undefined {
  const story = storyLog.stories.find(id);
  if (story === undefined) return undefined;
  const twins = storyLog.stories.twinsOf(id);
  const own = [story, ...twins].flatMap(({ entries }) => entries);
  return testFile({
    story,
    twins,
    own: own.toSorted((one, other) => one.number - other.number),
    recorded: storyLog.entries.map(shownEntry),
    state,
    options,
  });
}
