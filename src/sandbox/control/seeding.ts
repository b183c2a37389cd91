import { respond } from '../api/reply/respond.ts';
import type { SeedCounts, SeedProgress } from '../scenarios/seed/seed-options.ts';

type Steps = Generator<SeedProgress, SeedCounts>;

const encoder = new TextEncoder();

/** Yields to other requests. */
function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}

async function finish(steps: Steps): Promise<SeedCounts> {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    await pause();
  }
}

function line(value: object): Uint8Array {
  return encoder.encode(`${JSON.stringify(value)}\n`);
}

/** Streams a line for each step, and the counts in the last. Stops when the caller disconnects. */
function stream(steps: Steps): Response {
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const step = steps.next();
      controller.enqueue(line(step.done ? { counts: step.value } : step.value));
      if (step.done) controller.close();
      else await pause();
    },
    cancel() {
      steps.return({
        customers: 0,
        payment_intents: 0,
        charges: 0,
        refunds: 0,
        subscriptions: 0,
        invoices: 0,
      });
    },
  });
  return new Response(body, { headers: { 'content-type': 'application/x-ndjson' } });
}

/** Creates sample data. Responds with the counts, or with the progress as well if the caller accepts JSON lines. */
export async function respondWithSeed(steps: Steps, accept: string | null): Promise<Response> {
  return accept?.includes('application/x-ndjson') ? stream(steps) : respond(await finish(steps));
}
