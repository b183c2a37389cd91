/** Reaches inside: what a unit of work changes, and how ids go on, is visible only there. */

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sandboxState } from '../../../test/support/sandbox-state.ts';
import { bySize } from '../../../test/support/size.ts';
import { Collection } from '../../src/store/collection.ts';
import { IdSequence } from '../../src/store/ids.ts';

interface Item {
  readonly id: string;
}

const step = fc.record({ kind: fc.constantFrom('add', 'add', 'remove'), place: fc.nat(400) });

test.each([true, false])(
  'for random changes, pages equal those of a plain list (remembers removed ids: %s)',
  (remembersRemoved) => {
    // Many removals, so that a collection that forgets its gaps is compacted on the way.
    const history = fc.array(step, { minLength: 50, maxLength: 400, size: 'max' });
    fc.assert(
      fc.property(history, fc.nat(2_500), (steps, removed) => {
        const collection = new Collection<Item>({ label: 'item', remembersRemoved });
        let plain: string[] = [];
        const remove = (id: string) => {
          collection.remove(id);
          collection.commit(id);
          expect([collection.knows(id), collection.get(id)]).toEqual([remembersRemoved, undefined]);
        };
        for (let number = 0; number < removed; number += 1) collection.add({ id: `early_${number}` });
        for (let number = 0; number < removed; number += 1) remove(`early_${number}`);
        for (const [number, { kind, place }] of steps.entries()) {
          const id = kind === 'add' ? `item_${number}` : plain[place % Math.max(1, plain.length)];
          if (id === undefined) continue;
          if (kind === 'add') plain.push(collection.add({ id }).id);
          else {
            remove(id);
            plain = plain.filter((other) => other !== id);
          }
          const [skip, limit] = [place % (plain.length + 2), place % 5];
          const olderThan = plain[place % (plain.length * 2 + 1)];
          const older = plain.slice(0, olderThan === undefined ? plain.length : plain.indexOf(olderThan));
          const page = collection.page({ olderThan, skip, limit }).map((one) => one.id);
          expect(page).toEqual(older.toReversed().slice(skip, skip + limit));
        }
        expect([collection.size, collection.oldest()?.id]).toEqual([plain.length, plain[0]]);
        expect(collection.all().map(({ id }) => id)).toEqual(plain);
        const copy = new Collection<Item>({ label: 'item', remembersRemoved });
        copy.load(collection.contents());
        expect(copy.contents()).toEqual(collection.contents());
      }),
      { numRuns: bySize({ short: 6, all: 100 }) },
    );
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

test('identifiers continue after a restart, without repetition', () => {
  const whole = new IdSequence();
  const ids = Array.from({ length: 5_000 }, () => whole.next('pi'));
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.every((id) => /^pi_[0-9a-z]{16}$/.test(id))).toBe(true);
  for (const count of [0, 1, 777, 4_999]) {
    const resumed = new IdSequence();
    resumed.resume(count);
    expect(resumed.next('pi')).toBe(ids[count]);
    expect(resumed.count).toBe(count + 1);
  }
});
