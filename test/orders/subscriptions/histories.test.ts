/** Random histories: events late, twice, in any order or lost, stale reads, lost answers, and two processes that are killed at any step. */

import fc from 'fast-check';
import { createSubscriptions } from 'payments-client/orders';
import { memoryStore } from 'payments-client/stores';
import { expect, it } from 'vitest';
import { anything } from '../../support/anything.ts';
import { createClient } from '../../support/mock-service.ts';
import { bySize } from '../../support/size.ts';
import { Billing, type Change, type Letter } from './billing.ts';
import { day } from './shop.ts';

type Subscriptions = ReturnType<typeof createSubscriptions>;

/** What happens to a process: it is killed before or after a call, and each request may be lost, before or after it arrives. */
interface Fate {
  readonly killedAt: number;
  readonly lost: 'nothing' | 'requests' | 'answers';
}

const lucky: Fate = { killedAt: Infinity, lost: 'nothing' };

/** A shop of several processes over one store. */
class Shop {
  readonly billing: Billing;
  readonly #store = memoryStore();
  readonly #scheduler: fc.Scheduler;
  /** The newest version of each subscription whose event was handled. */
  readonly #heard = new Map<string, Letter['object']>();
  readonly #lostInvoices = new Set<string>();
  /** Whether an event was lost that no read can replace. */
  #isBlind = false;

  constructor(billing: Billing, scheduler: fc.Scheduler) {
    this.billing = billing;
    this.#scheduler = scheduler;
  }

  /** Runs several calls at once, each in a process of its own. Returns which of them succeeded. */
  async run(calls: readonly [(process: Subscriptions) => Promise<unknown>, Fate][]): Promise<boolean[]> {
    const running = calls.map(([call, fate]) => call(this.#start(fate)));
    const ends = await this.#scheduler.waitFor(Promise.allSettled(running));
    return ends.map(({ status }) => status === 'fulfilled');
  }

  /** Delivers letters at once. What fails is delivered again. */
  async deliver(picks: readonly (readonly [number, Fate, boolean])[]): Promise<void> {
    const { letters } = this.billing;
    const chosen = picks.flatMap(([pick, fate, isRepeated]) => {
      const letter = letters[pick % Math.max(1, letters.length)];
      return letter === undefined ? [] : [{ letter, fate, isRepeated }];
    });
    const ends = await this.run(
      chosen.map(({ letter, fate }) => [({ on }) => on[letter.type](anything({ data: letter })), fate]),
    );
    for (const { letter, isRepeated } of chosen.filter((_, index) => ends[index])) {
      this.#hear(letter);
      if (!isRepeated && letters.includes(letter)) letters.splice(letters.indexOf(letter), 1);
    }
  }

  /** Nothing older than what was handled is known, and no subscription is canceled but for its own invoice. */
  async check(): Promise<void> {
    const { billing } = this;
    const owners = [...billing.owners.values()];
    expect(billing.canceled.filter((id) => !owners.some((owner) => owner === id))).toEqual([]);
    for (const customer of ['cus_1', 'cus_2'] as const) {
      const { subscriptions } = await this.#access(customer);
      for (const id of billing.ids) {
        const heard = this.#heard.get(id);
        if (heard === undefined || heard.customer !== customer) continue;
        const versions = billing.versions(id);
        const possible = versions
          .slice(versions.findIndex((one) => one === heard))
          .map(({ status }) => status);
        expect(possible).toContain(subscriptions.find((one) => one.id === id)?.status);
      }
    }
  }

  /** A person settles each need by what they see in the control panel. */
  async settleNeeds(): Promise<void> {
    for (const customer of ['cus_1', 'cus_2'] as const)
      for (const need of (await this.#access(customer)).needs) {
        const own = this.billing.owners.get(need.invoice);
        if (own === undefined) throw new Error(`Nobody gave up ${need.invoice}.`);
        const canAsk = need.kind === 'which_subscription' && need.subscriptions.includes(own);
        const answer = canAsk && !this.billing.isOver(own) ? own : null;
        if (answer === null) this.billing.change(own, { status: 'canceled' });
        await this.run([[({ resolve }) => resolve(customer, need.invoice, answer), lucky]]);
      }
  }

  /** Lets everything arrive, and a person settle what is left. */
  async rest(): Promise<void> {
    this.billing.staleness = 0;
    for (let round = 0; round < 3; round += 1) {
      while (this.billing.letters.length > 0) await this.deliver([[0, lucky, false]]);
      for (const id of this.billing.ids) await this.run([[({ refresh }) => refresh(id), lucky]]);
      await this.run([[({ resume }) => resume(), lucky]]);
      await this.settleNeeds();
    }
  }

  async #access(customer: string) {
    return this.#start(lucky).access(customer);
  }

  /** Access is that of the service, and each subscription of a given-up invoice is over. What was lost cannot be known without a read. */
  async checkAtRest(): Promise<void> {
    const { billing } = this;
    const heard = [...billing.owners].flatMap(([invoice, id]) =>
      this.#lostInvoices.has(invoice) ? [] : [id],
    );
    if (!this.#isBlind) expect(heard.filter((id) => !billing.isOver(id))).toEqual([]);
    for (const customer of ['cus_1', 'cus_2'] as const) {
      const { granted, needs } = await this.#access(customer);
      if (!this.#isBlind)
        expect({ customer, granted, needs }).toEqual({
          customer,
          granted: billing.grants(customer),
          needs: [],
        });
    }
  }

  /** Loses a letter for ever. */
  lose(pick: number): void {
    const { letters, canRead } = this.billing;
    const [letter] = letters.splice(pick % Math.max(1, letters.length), 1);
    if (letter?.type === 'invoice.marked_uncollectible') this.#lostInvoices.add(letter.object.id);
    else if (letter !== undefined && !canRead) this.#isBlind = true;
  }

  #hear({ type, object }: Letter): void {
    if (type !== 'subscription.updated') return;
    const known = this.#heard.get(object.id);
    const versions = this.billing.versions(object.id);
    const isNewer = versions.findIndex((one) => one === object) > versions.findIndex((one) => one === known);
    if (isNewer) this.#heard.set(object.id, object);
  }

  #start({ killedAt, lost }: Fate): Subscriptions {
    let steps = 0;
    const step = async () => {
      if (killedAt !== Infinity) await this.#scheduler.schedule(Promise.resolve());
      steps += 1;
      if (steps > killedAt) throw new Error('The process was killed.');
    };
    const gated =
      <Args extends unknown[], Result>(call: (...args: Args) => Promise<Result>) =>
      async (...args: Args) => {
        await step();
        const result = await call(...args);
        await step();
        return result;
      };
    const answer = async ({ method, url, headers }: Request) => {
      if (lost === 'requests') throw new TypeError('fetch failed');
      const response = this.billing.answer(method, new URL(url).pathname, headers.get('idempotency-key'));
      if (lost === 'answers') throw new TypeError('fetch failed');
      return response;
    };
    const store = this.#store;
    return createSubscriptions({
      payments: createClient({ fetch: gated(answer), maxRetries: 0 }),
      store: {
        load: gated((key) => store.load(key)),
        save: gated((...args) => store.save(...args)),
        due: gated((query) => store.due(query)),
      },
      account: 'tea-shop-test',
      now: () => this.billing.seconds * 1000,
    });
  }
}

const anyFate: fc.Arbitrary<Fate> = fc.record({
  killedAt: fc.oneof(fc.integer({ min: 0, max: 16 }), { weight: 2, arbitrary: fc.constant(1_000) }),
  lost: fc.oneof(
    { weight: 3, arbitrary: fc.constant('nothing' as const) },
    fc.constantFrom('requests', 'answers'),
  ),
});
const anyId = fc.constantFrom('sub_1', 'sub_2', 'sub_3');
const anyPick = fc.tuple(fc.nat(20), anyFate, fc.boolean());
const anyChange = fc.constantFrom<Change[]>(
  { status: 'active' },
  { status: 'active' },
  { status: 'past_due' },
  { status: 'canceled' },
  { cancel_at_period_end: true },
  { cancel_at_period_end: false },
);

/** An act with its name, so that a failure prints the history. */
type Act = readonly [name: string, run: (shop: Shop) => unknown];

const act = <Values extends unknown[]>(
  name: string,
  values: { readonly [Index in keyof Values]: fc.Arbitrary<Values[Index]> },
  run: (shop: Shop, ...values: Values) => unknown,
): fc.Arbitrary<Act> =>
  fc
    .tuple<Values>(...values)
    .map((drawn) => [`${name} ${fc.stringify(drawn)}`, (shop) => run(shop, ...drawn)]);

const anyAct = fc.oneof(
  act('change', [anyId, anyChange], ({ billing }, id, change) => billing.change(id, change)),
  act('give up', [anyId, fc.boolean()], ({ billing }, id, isNamed) => billing.giveUp(id, isNamed)),
  act('pass', [fc.constantFrom(1, 1, day, 29 * day)], ({ billing }, seconds) => billing.pass(seconds)),
  act('lose', [fc.nat(20)], (shop, pick) => shop.lose(pick)),
  act('stale reads', [fc.nat(2)], ({ billing }, staleness) => void (billing.staleness = staleness)),
  act('deliver', [anyPick], (shop, one) => shop.deliver([one])),
  act('deliver at once', [anyPick, anyPick], (shop, one, other) => shop.deliver([one, other])),
  act('refresh and deliver', [anyId, anyFate, anyPick], async (shop, id, fate, pick) => {
    await Promise.all([shop.run([[({ refresh }) => refresh(id), fate]]), shop.deliver([pick])]);
  }),
  act('resume', [anyFate, anyFate], (shop, ...fates) =>
    shop.run(fates.map((fate) => [({ resume }) => resume(), fate])),
  ),
  act('a person', [], (shop) => shop.settleNeeds()),
);

it('knows the newest version, and cancels no subscription but for its own invoice, whatever happens', async () => {
  const property = fc.asyncProperty(
    fc.scheduler(),
    fc.record({ retrieve: fc.boolean(), cancel: fc.boolean() }),
    fc.array(anyAct, { minLength: 5, maxLength: 30 }),
    async (scheduler, paths, acts) => {
      const shop = new Shop(new Billing({ paths }), scheduler);
      for (const [, run] of acts) {
        await run(shop);
        await shop.check();
      }
      await shop.rest();
      await shop.check();
      await shop.checkAtRest();
    },
  );
  await fc.assert(property, { numRuns: bySize({ short: 40, all: 300, long: 3000 }), endOnFailure: true });
});
