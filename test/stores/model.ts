/** What a store does, in a few lines: the behaviour of one key, to compare the real stores with. */

import fc from 'fast-check';
import type { WebhookStore } from 'payments-client/webhooks';
import { expect } from 'vitest';
import { claimOf, freshKey, long, untilExpired } from './time.ts';

type Step =
  /** `brief`: the lease or the retention runs out before the next step. */
  | { readonly do: 'claim'; readonly key: number; readonly brief: boolean }
  | { readonly do: 'complete'; readonly key: number; readonly token: number; readonly brief: boolean }
  | { readonly do: 'release'; readonly key: number; readonly token: number };

type State =
  | { readonly is: 'free' | 'released'; readonly attempt: number }
  | { readonly is: 'held' | 'lapsed' | 'completed'; readonly attempt: number; readonly token: string };

const key = fc.nat({ max: 1 });
/** Of all the tokens so far, counted from the newest: mostly that, so that mostly something happens. */
const token = fc.oneof(
  { weight: 3, arbitrary: fc.constant(0) },
  { weight: 1, arbitrary: fc.nat({ max: 3 }) },
);
const brief = fc.boolean();

/** Any sequence of operations on two keys. */
export const steps = fc.array(
  fc.oneof(
    fc.record({ do: fc.constant('claim' as const), key, brief }),
    fc.record({ do: fc.constant('complete' as const), key, token, brief }),
    fc.record({ do: fc.constant('release' as const), key, token }),
  ),
  { maxLength: 15 },
);

class Model {
  state: State = { is: 'free', attempt: 0 };

  /** What a claim answers, without the token. */
  claim(): object {
    if (this.state.is === 'held') return { status: 'in_progress', retryAfter: expect.any(Number) };
    if (this.state.is === 'completed') return { status: 'completed' };
    return { status: 'claimed', attempt: this.state.attempt + 1, token: expect.any(String) };
  }

  claimed(token: string, brief: boolean): void {
    this.state = { is: brief ? 'lapsed' : 'held', attempt: this.state.attempt + 1, token };
  }

  complete(token: string, brief: boolean): boolean {
    if (!this.#isOwn(token)) return false;
    const wasCompleted = this.state.is === 'completed';
    const isForgotten = brief && !wasCompleted;
    this.state = isForgotten ? { is: 'free', attempt: 0 } : { is: 'completed', attempt: 0, token };
    return true;
  }

  release(token: string): void {
    if (!this.#isOwn(token) || this.state.is === 'completed') return;
    this.state = { is: 'released', attempt: this.state.attempt };
  }

  #isOwn(token: string): boolean {
    return 'token' in this.state && this.state.token === token;
  }
}

/** Takes each step with the store and with the model, and compares what they answer. */
export async function compareWithModel(store: WebhookStore, sequence: readonly Step[]): Promise<void> {
  const keys = [freshKey(), freshKey()];
  const models = keys.map(() => new Model());
  const tokens: string[] = [];
  for (const step of sequence) {
    const key = keys[step.key] ?? '';
    const model = models[step.key] ?? new Model();
    const time = 'brief' in step && step.brief ? 1 : long;
    const token = ('token' in step ? tokens.at(-1 - step.token) : undefined) ?? 'a token of nobody';
    if (step.do === 'claim') {
      const result = await store.claim(key, time);
      expect(result).toEqual(model.claim());
      if (result.status === 'claimed') {
        tokens.push(claimOf(result).token);
        model.claimed(result.token, step.brief);
      }
    } else if (step.do === 'complete') {
      expect(await store.complete(key, token, time)).toBe(model.complete(token, step.brief));
    } else {
      await store.release(key, token);
      model.release(token);
    }
    if (time === 1) await untilExpired(store);
  }
}
