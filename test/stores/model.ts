/** A minimal model of one key's behaviour in a store, to compare the real stores with. */

import fc from 'fast-check';
import type { Store } from 'payments-client/stores';
import { expect } from 'vitest';
import { openAt } from '../support/stores.ts';
import { claimOf, freshKey, long } from './time.ts';

type Step =
  /** `brief`: the lease or the retention ends before the next step. */
  | { readonly do: 'claim'; readonly key: number; readonly brief: boolean; readonly data: Data }
  | {
      readonly do: 'complete';
      readonly key: number;
      readonly token: number;
      readonly brief: boolean;
      readonly data: Data;
    }
  | {
      readonly do: 'release';
      readonly key: number;
      readonly token: number;
      readonly brief: boolean;
      readonly data: Data;
      readonly isKept: boolean;
    };

type Data = string | undefined;

type State =
  /** `kept`: released with a retention. */
  | { readonly is: 'free' | 'released' | 'kept'; readonly attempt: number; readonly data: Data }
  | {
      readonly is: 'held' | 'lapsed' | 'completed';
      readonly attempt: number;
      readonly token: string;
      readonly data: Data;
    };

const key = fc.nat({ max: 1 });
/** An index into all tokens, counted from the newest: mostly the newest, so that most steps have an effect. */
const token = fc.oneof(
  { weight: 3, arbitrary: fc.constant(0) },
  { weight: 1, arbitrary: fc.nat({ max: 3 }) },
);
const brief = fc.boolean();
const data = fc.constantFrom(undefined, undefined, '', 'a', 'b');

/** Any sequence of operations on two keys. */
export const steps = fc.array(
  fc.oneof(
    fc.record({ do: fc.constant('claim' as const), key, brief, data }),
    fc.record({ do: fc.constant('complete' as const), key, token, brief, data }),
    fc.record({
      do: fc.constant('release' as const),
      key,
      token,
      brief,
      data,
      isKept: fc.boolean(),
    }),
  ),
  { maxLength: 15 },
);

const free: State = { is: 'free', attempt: 0, data: undefined };

class Model {
  state: State = free;

  /** Returns the result of a claim, without the token. */
  claim(given: Data): object {
    const { is, attempt, data } = this.state;
    if (is === 'held') return { status: 'in_progress', retryAfter: expect.any(Number), data };
    if (is === 'completed') return { status: 'completed', data };
    const kept = is === 'free' ? given : data;
    return { status: 'claimed', attempt: attempt + 1, token: expect.any(String), data: kept };
  }

  claimed(token: string, brief: boolean, given: Data): void {
    const { is, attempt, data } = this.state;
    const kept = is === 'free' ? given : data;
    this.state = { is: brief ? 'lapsed' : 'held', attempt: attempt + 1, token, data: kept };
  }

  complete(token: string, brief: boolean, given: Data): boolean {
    if (!this.#isOwn(token)) return false;
    const wasCompleted = this.state.is === 'completed';
    const isForgotten = brief && !wasCompleted;
    const data = given ?? this.state.data;
    this.state = isForgotten ? free : { is: 'completed', attempt: 0, token, data };
    return true;
  }

  /** @param brief Whether the retention is brief; `undefined` without a retention. */
  release(token: string, brief: boolean | undefined, given: Data): boolean {
    if (!this.#isOwn(token) || this.state.is === 'completed') return false;
    const { attempt, data } = this.state;
    const is = brief === undefined ? 'released' : 'kept';
    this.state = brief ? free : { is, attempt, data: given ?? data };
    return true;
  }

  /** Returns the key's part of the list of open claims. */
  open(key: string): object[] {
    const { is, attempt, data } = this.state;
    if (is === 'completed' || is === 'kept' || data === undefined) return [];
    const [leased, since, age] = [
      is === 'held' ? expect.any(Number) : 0,
      expect.any(Number),
      expect.any(Number),
    ];
    return [{ key, data, attempt, leased, since, age }];
  }

  #isOwn(token: string): boolean {
    return 'token' in this.state && this.state.token === token;
  }
}

/** Runs each step on the store and on the model, and compares the results. */
export async function compareWithModel(
  store: Store,
  sequence: readonly Step[],
  untilForgotten: () => Promise<void>,
): Promise<void> {
  const keys = [freshKey(), freshKey()];
  const models = keys.map(() => new Model());
  const tokens: string[] = [];
  for (const step of sequence) {
    const key = keys[step.key] ?? '';
    const model = models[step.key] ?? new Model();
    const { data } = step;
    const time = step.brief ? 1 : long;
    const token = ('token' in step ? tokens.at(-1 - step.token) : undefined) ?? 'a token of nobody';
    if (step.do === 'claim') {
      const result = await store.claim(key, time, { data });
      expect(result).toEqual(model.claim(data));
      if (result.status === 'claimed') {
        tokens.push(claimOf(result).token);
        model.claimed(result.token, step.brief, data);
      }
    } else if (step.do === 'complete') {
      expect(await store.complete(key, token, time, { data })).toBe(model.complete(token, step.brief, data));
    } else {
      const options = step.isKept ? { data, retention: time } : { data };
      const brief = step.isKept ? step.brief : undefined;
      expect(await store.release(key, token, options)).toBe(model.release(token, brief, data));
    }
    if (time === 1) await untilForgotten();
  }
  for (const [index, key] of keys.entries()) {
    const expected = models[index]?.open(key);
    expect(await openAt(store, key)).toEqual(expected);
  }
}
