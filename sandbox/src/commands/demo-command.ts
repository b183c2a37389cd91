import type { RouteName } from 'payments-client';
import { ConnectionDropped } from '../api/faults/cut-body.ts';
import type { Fault } from '../api/faults/faults.ts';
import { objectIn } from '../api/reply.ts';
import { Problem } from '../domain/problem.ts';
import type { State } from '../domain/state.ts';
import { type DemoOrder, type DemoShop, makeDemoOrders } from '../scenarios/demo-orders.ts';
import { plainKey } from '../stories/request-links.ts';
import { Command, type Nothing } from './command.ts';
import { injectCommand } from './fault-commands.ts';
import { updateCommand } from './object-commands.ts';
import { methodCall, rejectionText, sendCall } from './service-call.ts';
import { deleteEndpointCommand, webhooksOf } from './webhook-commands.ts';
import type { World } from './world.ts';

/** Does something without the armed faults of deliveries: they wait for the user's events. */
async function sparingFaults<T>(state: State, work: () => Promise<T>): Promise<T> {
  const { delivery_fault: faults } = state.objects;
  const armed = faults.all();
  state.unit(() => {
    for (const { id } of armed) faults.remove(id);
  });
  try {
    return await work();
  } finally {
    state.unit(() => {
      for (const fault of armed) faults.replace(fault);
    });
  }
}

/** How long the endpoint asks the sandbox to wait, in seconds. Until then the story shows that its delivery failed. */
const downtime = 3600;

function refuse(): Response {
  const headers = { 'retry-after': String(downtime) };
  return new Response('The shop is down.', { status: 503, headers });
}

/** Returns the number of a new run: the first whose orders were never begun. */
function newRun({ objects }: State): number {
  const isUsed = (run: number) =>
    objects.reply.get(plainKey('paymentIntents.create', `demo-${run}-webhook-down`)) !== undefined;
  let run = 1;
  while (isUsed(run)) run += 1;
  return run;
}

/** Makes the orders in this sandbox. It has faults of its own, and each of its steps is recorded. */
class SandboxShop implements DemoShop {
  readonly #world: World;
  readonly #run: number;

  constructor(world: World) {
    this.#world = { ...world, ...world.secondApp() };
    this.#run = newRun(world.state);
  }

  orderNamed(name: string): string {
    return `demo-${this.#run}-${name}`;
  }

  async send(order: string, operation: RouteName, body: object, id?: string): Promise<string> {
    const { state } = this.#world;
    const call = methodCall(state, operation, { id, body, key: plainKey(operation, order) });
    try {
      const reply = await sparingFaults(state, () => sendCall(this.#world, call));
      if (reply.status >= 400 && reply.status !== 402) {
        throw new Problem(409, 'DEMO_REFUSED', `${operation}: ${rejectionText(reply)}`);
      }
      return objectIn(reply.body)?.id ?? '';
    } catch (error) {
      if (error instanceof ConnectionDropped) return '';
      throw error;
    }
  }

  loseReply(operation: RouteName): void {
    const fault: Fault = { kind: 'drop_reply', operation };
    injectCommand.run(this.#world, fault);
  }

  async failRefund(id: string): Promise<void> {
    const fields = { status: 'failed', failure_message: 'already_refunded' };
    await sparingFaults(this.#world.state, async () =>
      updateCommand.run(this.#world, { kind: 'refund', id, fields }),
    );
  }

  async whileDown(object: string, work: () => Promise<unknown>): Promise<void> {
    // Events of the user, who may pay at the same time, are accepted.
    const answer = async (request: Request) =>
      (await request.text()).includes(object) ? refuse() : new Response();
    const events = ['payment_intent.succeeded'];
    const { id } = webhooksOf(this.#world).deliverTo(answer, { events });
    try {
      await work();
      await this.#world.state.scheduler.settled();
    } finally {
      deleteEndpointCommand.run(this.#world, { id });
    }
  }
}

/** The orders of a demo. */
interface Demo {
  /** In the order of their making. */
  readonly orders: readonly DemoOrder[];
  /** The id of the one to open first. */
  readonly open: string;
}

async function run(world: World): Promise<Demo> {
  world.storyLog.begin();
  const orders = await makeDemoOrders(new SandboxShop(world));
  return { orders, open: orders.at(-1)?.id ?? '' };
}

export const demoCommand = new Command<Nothing, Promise<Demo>>({
  name: 'demo',
  summary: 'Makes six orders in a running sandbox, as an app would, and lets each meet a problem.',
  more: [
    'The problems: a lost reply, a declined card, a double click, a failed refund, a webhook endpoint that is down.',
    'Each order has a story with a verdict. The clock does not move, and faults that you have armed stay.',
    'Your own endpoints receive the events too. The one that is down is deleted at the end.',
  ].join(' '),
  examples: ['demo'],
  // The recording has its steps.
  isRecorded: false,
  args: {},
  run,
  tell: ({ orders, open }) => `Made ${orders.length} orders. Open ${open} first.`,
});
