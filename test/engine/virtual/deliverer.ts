import { OperationUnresolvedError } from 'payments-client';
import { type DeliveryReport, Webhooks } from 'payments-client/webhooks';
import {
  bodyOf,
  type EventPlan,
  endpointSecrets,
  forgersSecret,
  isReadable,
  isUnreadable,
} from '../dimensions/deliveries.ts';
import { troubledCalls } from '../dimensions/fault.ts';
import type { Handling } from '../receivers.ts';
import { isExecuted } from './callers.ts';
import type { Seat } from './seat.ts';
import type { Transaction } from './store.ts';
import { epoch } from './time.ts';
import type { World } from './world.ts';

/** A quarter of the receiver's lease: so long a run holds its event, whenever it started within its claim. */
const holds = 15_000;

const hour = 3_600_000;

/** An event of the service. */
interface SentEvent extends EventPlan {
  /** The key of the event in the store, which is also the operation id of its handler. */
  readonly name: string;
  readonly eventId: string;
  readonly body: string;
  /** How many deliveries were started. */
  tries: number;
}

function eventIdOf({ id }: Pick<EventPlan, 'id'>): string {
  return `evt_${id}`;
}

/** Returns the name of an event: its key in the store. */
function eventNameOf({ mode, scope, id }: Pick<EventPlan, 'mode' | 'scope' | 'id'>): string {
  return `webhook.${mode}/test/${scope}/${eventIdOf({ id })}`;
}

/** The service as the sender of events, and the merchant's handlers. */
export class Deliverer {
  readonly #world: World;
  readonly events: ReadonlyMap<string, SentEvent>;
  #runs = 0;

  constructor(world: World, plans: readonly EventPlan[]) {
    this.#world = world;
    this.events = new Map(
      plans.map((plan) => {
        const eventId = eventIdOf(plan);
        const event = { ...plan, name: eventNameOf(plan), eventId, body: bodyOf(plan, eventId), tries: 0 };
        return [event.name, event];
      }),
    );
  }

  /** Delivers each event until it is acknowledged, and some once more. */
  begin(): void {
    const { scheduler } = this.#world;
    for (const event of this.events.values()) {
      const { begins, double, name } = event;
      this.#deliverAfter(begins, event);
      if (double === undefined) continue;
      scheduler.after(begins + double.after, () => {
        this.#world.act(
          { name: `${name}/double`, faults: double.faults, of: this.#world.ownerOf('first') },
          (seat) => this.#deliver(event, seat),
        );
      });
    }
  }

  #deliverAfter(delay: number, event: SentEvent): void {
    this.#world.scheduler.after(delay, () => {
      event.tries += 1;
      const { name, tries } = event;
      this.#world.book.note('tried', { of: name, tries });
      const faults = event.faults.filter(({ call }) => call === tries);
      this.#world.act(
        { name: `${name}/${tries}`, faults, of: this.#world.ownerOf('first') },
        async (seat) => {
          const isEnd = await this.#deliver(event, seat);
          const isGivenUp = !this.#world.heals && tries > troubledCalls;
          const pause =
            Math.min(hour, 2 ** tries * 2_000) + this.#world.time(`${name}/${tries} pause`, 100_000);
          if (!isEnd && !isGivenUp) this.#deliverAfter(pause, event);
        },
      );
    });
  }

  /** Delivers an event once. Returns whether the service stops. */
  async #deliver(event: SentEvent, seat: Seat): Promise<boolean> {
    const { actor } = seat;
    const { book, log, system } = this.#world;
    const { body, kind, scope, mode, name } = event;
    const fault = actor.faultAt('delivery', ['is lost', 'is not answered'])?.fault;
    if (fault === 'is lost') return false;
    const secret = kind === 'forged' ? forgersSecret : endpointSecrets[scope];
    const webhooks = new Webhooks({ secret, now: () => epoch + this.#world.now() });
    const headers = await webhooks.sign(body);
    const { status, outcome } = await seat.receiver(mode).handle({ body, headers });
    const { response: change = (one: string) => one } = system;
    const response = actor.isAlive ? change(`${status} ${outcome}`) : undefined;
    log(`${actor.name} answers ${response}`);
    // A lost answer is still one that the receiver gave.
    book.note('responded', { of: name, life: actor.name, response });
    book.note('gone', { of: actor.name, isKilled: !actor.isAlive });
    if (response === undefined || fault !== undefined) return false;
    // It would deliver an unreadable event for days.
    const isGivenUp = isUnreadable(event) && event.tries > troubledCalls;
    return isGivenUp || response.startsWith('200') || response === '400 refused';
  }

  /** Handles an event. Some handlers move money themselves. */
  async handle(
    { actor, payments }: Seat,
    { id, mode, scope, operationId, client }: Handling<Transaction>,
  ): Promise<void> {
    const { book } = this.#world;
    const event = this.events.get(operationId);
    this.#runs += 1;
    const run = `${actor.name} run ${this.#runs}`;
    const of = event?.name ?? `${mode}/${scope}/${id}`;
    const ofRun = { of, run, life: actor.name };
    book.note('began', { ...ofRun, at: this.#world.now(), holds, isExcused: () => actor.isTroubled });
    let how: 'returned' | 'threw' = 'threw';
    try {
      await actor.step('handles');
      const fault = actor.faultAt('handler', ['throws', 'throws after'])?.fault;
      if (fault === 'throws') throw new Error('the handler failed');
      if (event?.movesMoney === true) {
        const intent = { amount: 1200, currency: 'eur', metadata: { order: operationId } };
        await payments.paymentIntents.create(intent, { operationId }).catch((error: unknown) => {
          if (isExecuted(error)) return;
          if (error instanceof OperationUnresolvedError) this.#askPerson(operationId);
          throw error;
        });
      }
      await actor.step('has handled');
      const affect = () => book.note('affected', { of });
      if (client === undefined) affect();
      else client.add(affect);
      if (fault !== undefined) throw new Error('the handler failed after its effect');
      how = 'returned';
    } finally {
      book.note('stopped', { ...ofRun, how: actor.isAlive ? how : 'died' });
    }
  }

  #askPerson(id: string): void {
    const operation = 'paymentIntents.create';
    this.#world.callers.askPerson(
      { name: id, id, operation, of: this.#world.ownerOf('first'), faults: [] },
      { active: 0 },
    );
  }

  /** `onUnreadable` got a body. */
  unread(body: string): void {
    const event = [...this.events.values()].find((one) => one.body === body);
    this.#world.book.note('unread', { of: event?.name ?? body });
  }

  reported({ actor }: Seat, report: DeliveryReport): void {
    if (!actor.isAlive) return;
    const { consumer, scope, eventId, status, outcome, verified, issues, attempt } = report;
    const event = [...this.events.values()].find(
      (one) => one.eventId === eventId && one.mode === consumer && one.scope === scope && isKnownTo(one),
    );
    this.#world.book.note('reported', {
      of: event?.name ?? 'nothing',
      life: actor.name,
      response: `${status} ${outcome}`,
      isVerified: verified,
      hasIssues: issues.length > 0,
      hasClaim: event !== undefined && attempt !== undefined,
    });
  }
}

/** Whether a report names the event. */
function isKnownTo(event: EventPlan): boolean {
  return isReadable(event) || event.kind === 'ignored' || event.kind === 'otherMode';
}
