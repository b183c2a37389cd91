/** What a store of documents must answer: the reference model, and rows of calls to compare it with. */

import fc from 'fast-check';
import { PaymentsError } from 'payments-client';
import type { Store } from 'payments-client/stores';

/** The arguments of `save`. */
export type Call = Parameters<Store['save']>;

interface Kept {
  readonly version: number;
  readonly data: string;
  readonly wakeAt: number | null;
}

/** Returns what `save` answers, or the code of its error. */
export const answerOf = (answer: Promise<boolean>) =>
  answer.then(String, (error: unknown) => {
    if (error instanceof PaymentsError && error.code !== 'INVALID_CONFIGURATION') return String(error.code);
    throw error;
  });

/** One call of a history, made by one of the stores that share their records. `own` keeps histories apart. */
export type DocumentRow = { readonly store: number } & (
  | { readonly does: 'saves'; readonly call: (own: string) => Call }
  | { readonly does: 'looks up'; readonly reference: string }
  | { readonly does: 'lists'; readonly space: string; readonly until: number; readonly limit: number }
  | {
      readonly does: 'transacts';
      readonly calls: readonly ((own: string) => Call)[];
      readonly isRolledBack: boolean;
    }
);

export class DocumentModel {
  #kept = new Map<string, Kept>();
  #references = new Map<string, string>();

  keys(): Iterable<string> {
    return this.#kept.keys();
  }

  load(key: string): Pick<Kept, 'version' | 'data'> | undefined {
    const kept = this.#kept.get(key);
    return kept && { version: kept.version, data: kept.data };
  }

  take(row: DocumentRow, own: string, hasTransactions: boolean): unknown {
    if (row.does === 'saves') return this.#save(row.call(own));
    if (row.does === 'looks up') return this.#references.get(`${own} ${row.reference}`);
    if (row.does === 'lists') return this.#due(`${own}${row.space}`, row.until);
    if (!hasTransactions) return undefined;
    const before = [new Map(this.#kept), new Map(this.#references)] as const;
    const answers = row.calls.map((call) => this.#save(call(own)));
    if (!row.isRolledBack) return answers;
    [this.#kept, this.#references] = before;
    return 'rolled back';
  }

  #save([key, version, data, { references = [], wakeAt }]: Call): string {
    if ((this.#kept.get(key)?.version ?? 0) !== version) return 'false';
    if (references.some((reference) => (this.#references.get(reference) ?? key) !== key))
      return 'STORE_REFERENCE_TAKEN';
    for (const reference of references) this.#references.set(reference, key);
    this.#kept.set(key, { version: version + 1, data, wakeAt });
    return 'true';
  }

  #due(space: string, until: number): unknown {
    return [...this.#kept]
      .flatMap(([key, { wakeAt }]) =>
        wakeAt !== null && wakeAt <= until ? [{ key, wakeAt: wakeAt + 0 }] : [],
      )
      .filter(({ key }) => key.split('/')[0] === space)
      .toSorted((one, other) => one.wakeAt - other.wakeAt || Buffer.compare(bytesOf(one), bytesOf(other)));
  }
}

const bytesOf = ({ key }: { readonly key: string }) => Buffer.from(key);

const names = fc.constantFrom('/a', '/b', '/🍵', '/\uffdc', 'x/a', '');
const references = fc.uniqueArray(fc.constantFrom('p', 'q', 'r', '🍵'), { maxLength: 3 });
const times = fc.constantFrom(null, null, -(2 ** 53 - 1), -1, -0, 0, 1, 2, 2 ** 53 - 1);

/** Versions are small, so that calls often have the right one. */
const call = fc.tuple(names, fc.nat({ max: 2 }), fc.constantFrom('', 'x', 'y'), references, times).map(
  ([name, version, data, all, wakeAt]) =>
    (own: string): Call => [
      own + name,
      version,
      data,
      { references: all.map((reference) => `${own} ${reference}`), wakeAt },
    ],
);

const store = fc.nat({ max: 5 });

/** Any row of calls about six documents in three spaces. */
export const documentRows: fc.Arbitrary<readonly DocumentRow[]> = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: fc.record({ does: fc.constant('saves' as const), store, call }) },
    {
      weight: 1,
      arbitrary: fc.record({
        does: fc.constant('looks up' as const),
        store,
        reference: fc.constantFrom('p', 'q', 'r', '🍵', 'none'),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        does: fc.constant('lists' as const),
        store,
        space: fc.constantFrom('', 'x', 'y'),
        until: fc.constantFrom(-(2 ** 53 - 1), -1, 0, 1, 2 ** 53 - 1),
        limit: fc.constantFrom(1, 2, 10),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        does: fc.constant('transacts' as const),
        store,
        calls: fc.array(call, { maxLength: 4 }),
        isRolledBack: fc.boolean(),
      }),
    },
  ),
  { minLength: 5, maxLength: 30 },
);
