/** Reaches inside: a million objects made by requests would take minutes. */

import { expect, test } from 'vitest';
import { sandboxState } from '../../../test/support/sandbox-state.ts';
import { thorough } from '../../../test/support/size.ts';
import { readPage } from '../../src/api/request/pagination.ts';
import { defaults } from '../../src/domain/object-defaults.ts';
import { Collection } from '../../src/store/collection.ts';
import { IdSequence } from '../../src/store/ids.ts';

interface Item {
  readonly id: string;
}

const few = 1_000;
const many = 1_000_000;

function filled(count: number): Collection<Item> {
  const collection = new Collection<Item>({ label: 'item', remembersRemoved: true });
  for (let index = 0; index < count; index += 1) collection.add({ id: `item_${index}` });
  return collection;
}

function median(values: number[]): number {
  return values.sort((one, other) => one - other)[values.length >> 1] ?? Number.NaN;
}

/** Returns the ratio of two run times. The two alternate, so that a busy machine slows both. */
function ratio(one: (round: number) => void, other: (round: number) => void): number {
  const times: [number[], number[]] = [[], []];
  for (let round = 0; round < 300; round += 1) {
    for (const [index, work] of [one, other].entries()) {
      const start = performance.now();
      for (let step = 0; step < 20; step += 1) work(round * 20 + step);
      times[index]?.push(performance.now() - start);
    }
  }
  return median(times[0]) / median(times[1]);
}

/** A cost that grows with the number of objects would be a thousand times higher. */
const sameCost = 50;

test('a cursor page and a removal cost the same with 1,000,000 objects as with 1,000', {
  ...thorough,
  timeout: 60_000,
}, () => {
  const [large, small] = [filled(many), filled(few)];
  const pages = (collection: Collection<Item>, query: string) => () =>
    readPage(collection, new URLSearchParams(query), { size: 20 });
  const compare = () => [
    ratio(pages(large, 'offset=0'), pages(small, 'offset=0')),
    ratio(pages(large, `starting_after=item_${many / 2}`), pages(small, `starting_after=item_${few / 2}`)),
    ratio(pages(large, 'starting_after=item_20'), pages(small, 'starting_after=item_20')),
  ];
  for (const factor of compare()) expect(factor).toBeLessThan(sameCost);
  const removals = ratio(
    (round) => large.remove(`item_${(round * 7919) % many}`),
    (round) => {
      small.remove(`item_${round % few}`);
      small.add({ id: `item_${round % few}` });
      small.commit(`item_${round % few}`);
    },
  );
  expect(removals).toBeLessThan(sameCost);
  expect(large.size).toBe(many - 6_000);
  // Gaps do not make pages slower.
  for (const factor of compare()) expect(factor).toBeLessThan(sameCost);
});

/** Returns a deterministic random generator. */
function randomly(): (below: number) => number {
  let state = 42;
  return (below) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
}

test.each([true, false])(
  'for random changes, pages equal those of a plain list (remembers: %s)',
  (remembersRemoved) => {
    const random = randomly();
    const collection = new Collection<Item>({ label: 'item', remembersRemoved });
    let plain: string[] = [];
    let added = 0;
    for (let step = 0; step < 6_000; step += 1) {
      // The collection grows first, then shrinks.
      if (random(10) < (step < 3_000 ? 7 : 2)) {
        const id = `item_${added++}`;
        collection.add({ id });
        plain.push(id);
      } else if (plain.length > 0) {
        const id = plain[random(plain.length)] ?? '';
        collection.remove(id);
        collection.commit(id);
        plain = plain.filter((other) => other !== id);
        expect(collection.knows(id)).toBe(remembersRemoved);
      }
      const [skip, limit] = [random(plain.length + 2), random(5)];
      const olderThan = plain[random(plain.length * 2)];
      const older = plain.slice(0, olderThan === undefined ? plain.length : plain.indexOf(olderThan));
      const page = collection.page({ olderThan, skip, limit }).map(({ id }) => id);
      expect(page).toEqual(older.toReversed().slice(skip, skip + limit));
    }
    expect(collection.all().map(({ id }) => id)).toEqual(plain);
    const copy = new Collection<Item>({ label: 'item', remembersRemoved });
    copy.load(collection.contents());
    expect(copy.contents()).toEqual(collection.contents());
  },
);

test('a failed unit rolls back additions, changes, removals and re-additions', () => {
  const state = sandboxState();
  const { event, product, customer } = state.objects;
  const make = (id: string, more: object = {}) => ({
    ...state.commonFields('product'),
    ...more,
    id,
  });
  state.unit(() => ['a', 'b', 'c', 'd'].map((id) => product.add(make(id))));
  state.unit(() => product.remove('b'));
  const before = state.contents();
  const fail = () =>
    state.unit(() => {
      for (const id of ['x', 'y', 'z']) product.add(make(id));
      product.remove('y');
      product.add(make('y', { again: true }));
      product.remove('x');
      product.replace(make('c', { changed: true }));
      product.remove('a');
      product.replace(make('a', { again: true }));
      product.replace(make('b', { again: true }));
      product.remove('b');
      product.add(make('b', { again: 'twice' }));
      throw new Error('on purpose');
    });
  expect(fail).toThrow('on purpose');
  expect({ ...state.contents(), ids: 0 }).toEqual({ ...before, ids: 0 });
  expect([product.knows('x'), product.knows('b'), product.get('b')]).toEqual([false, true, undefined]);
  expect([event.size, customer.size]).toEqual([0, 0]);
  state.unit(() => product.add(make('e')));
  expect(product.all().map(({ id }) => id)).toEqual(['a', 'c', 'd', 'e']);
});

test('the logs of events and deliveries are bounded, and dropped ids are unknown', () => {
  const state = sandboxState();
  const { event } = state.objects;
  let first: string | undefined;
  for (let count = 0; count < 25_000; count += 1) {
    state.unit(() => state.objects.refund.add({ ...defaults.refund(state), id: `rf_${count}` as const }));
    first ??= event.oldest()?.id;
  }
  expect(event.size).toBe(10_000);
  expect(event.knows(first ?? '')).toBe(false);
  const newest = event.page({ limit: 1 })[0]?.data.object;
  expect(newest).toMatchObject({ id: 'rf_24999' });
});

test('identifiers continue after a restart, without repetition', () => {
  const whole = new IdSequence();
  const ids = Array.from({ length: 50_000 }, () => whole.next('pi'));
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.every((id) => /^pi_[0-9a-z]{16}$/.test(id))).toBe(true);
  for (const count of [0, 1, 777, 49_999]) {
    const resumed = new IdSequence();
    resumed.resume(count);
    expect(resumed.next('pi')).toBe(ids[count]);
    expect(resumed.count).toBe(count + 1);
  }
});
