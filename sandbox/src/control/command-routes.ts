import { respond } from '../api/reply.ts';
import { openBody, text } from '../api/request/parameters.ts';
import * as s from '../base/schema.ts';
import type { Performed } from '../commands/command.ts';
import { commandNamed, commands } from '../commands/table.ts';
import { type ControlContext, readInput } from './control-context.ts';
import type { ReadRoute } from './read-route.ts';

const parameters = s.strictObject({ name: text(), args: s.optional(openBody()) });

type Steps = Generator<unknown, Promise<Performed>>;

const encoder = new TextEncoder();

/** Yields to other requests. */
function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}

async function finish(steps: Steps): Promise<Performed> {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    await pause();
  }
}

/** Streams a line of JSON for each step, and the result in the last. Stops when the caller disconnects. */
function stream(steps: Steps): Response {
  let isStopped = false;
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const step = isStopped ? undefined : steps.next();
      if (step === undefined) return controller.close();
      const line = step.done ? await step.value : step.value;
      controller.enqueue(encoder.encode(`${JSON.stringify(line)}\n`));
      if (step.done) controller.close();
      else await pause();
    },
    cancel() {
      isStopped = true;
    },
  });
  return new Response(body, { headers: { 'content-type': 'application/x-ndjson' } });
}

function listed() {
  return commands.map(({ name, help, args }) => ({
    name,
    ...help,
    args: [...args].map(([key, { help: text, kind, isRequired, choices }]) => ({
      name: key,
      help: text,
      kind,
      required: isRequired,
      ...(choices !== undefined && { choices: choices.words }),
    })),
  }));
}

/** A command with the texts of its help. */
export type ListedCommand = ReturnType<typeof listed>[number];

/** The table of commands. */
export const commandRoutes: readonly ReadRoute[] = [
  {
    path: '/commands',
    body: '{ data: [{ name, summary, examples, args, … }] }',
    answers: 'Every command with its arguments.',
    read: () => respond({ data: listed() }),
  },
];

/** Performs the command that a request names. With JSON lines accepted, answers its progress too. */
export async function performCommand(sandbox: ControlContext, request: Request): Promise<Response> {
  const { name, args = {} } = await readInput(request, parameters);
  const command = commandNamed(name);
  if (!command.hasSteps) return respond(await command.perform(sandbox, args));
  const steps = command.performInSteps(sandbox, args);
  const isStreamed = request.headers.get('accept')?.includes('application/x-ndjson') ?? false;
  return isStreamed ? stream(steps) : respond(await finish(steps));
}
