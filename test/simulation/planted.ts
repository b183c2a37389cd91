import type { ClaimOptions, ClaimResult, ClaimStore } from 'payments-client/stores';
import type { System } from './system.ts';

type Fields = Record<string, unknown>;

/** Data of a record, changed. */
function changed(options: ClaimOptions | undefined, change: (record: Fields) => Fields): ClaimOptions {
  return options?.data === undefined ? {} : { data: JSON.stringify(change(JSON.parse(options.data))) };
}

/** A store with other functions in place of some. */
function storeWith(store: ClaimStore, others: Partial<ClaimStore>): ClaimStore {
  return {
    claim: (key, lease, options) => store.claim(key, lease, options),
    renew: (key, token, lease, options) => store.renew(key, token, lease, options),
    complete: (key, token, time, options) => store.complete(key, token, time, options),
    release: (key, token, options) => store.release(key, token, options),
    open: (query) => store.open(query),
    ...others,
  };
}

const isOperation = (key: string) => key.startsWith('operation:');

/** A store that grants claims on operations of the journal in another way. */
function onlyOperations(store: ClaimStore, { claim }: Pick<ClaimStore, 'claim'>): ClaimStore {
  return storeWith(store, {
    claim: (key, lease, options) =>
      isOperation(key) ? claim(key, lease, options) : store.claim(key, lease, options),
  });
}

/** A store that grants claims on events of the receiver in another way. */
function onlyEvents(store: ClaimStore, { claim }: Pick<ClaimStore, 'claim'>): ClaimStore {
  return storeWith(store, {
    claim: (key, lease, options) =>
      isOperation(key) ? store.claim(key, lease, options) : claim(key, lease, options),
  });
}

const long = 1e12;

/** Closes an operation as it is claimed. */
async function claimAndClose(store: ClaimStore, ...[key, lease, options]: Parameters<ClaimStore['claim']>) {
  const claim = await store.claim(key, lease, options);
  if (claim.status === 'claimed') {
    const data = changed(options, (record) => ({ ...record, state: 'done' }));
    await store.complete(key, claim.token, long, data);
  }
  return claim;
}

/** Gives everyone the claim that somebody has. */
function ignoringLeases(store: ClaimStore): ClaimStore {
  const held = new Map<string, ClaimResult>();
  return storeWith(store, {
    async claim(key, lease, options) {
      const claim = await store.claim(key, lease, options);
      if (claim.status === 'in_progress') return held.get(key) ?? claim;
      held.set(key, claim);
      return claim;
    },
  });
}

/** Releases as refused what satisfies a condition. */
function refusing(store: ClaimStore, isRefused: (record: Fields, attempt: number) => boolean): ClaimStore {
  const attempts = new Map<string, number>();
  return storeWith(store, {
    async claim(key, lease, options) {
      const claim = await store.claim(key, lease, options);
      if (claim.status === 'claimed') attempts.set(key, claim.attempt);
      return claim;
    },
    release: (key, token, options) =>
      store.release(
        key,
        token,
        changed(options, (record) =>
          isRefused(record, attempts.get(key) ?? 0) ? { ...record, state: 'refused' } : record,
        ),
      ),
  });
}

/** Takes every body for the one that was written down. */
function matchingEverything(store: ClaimStore): ClaimStore {
  return storeWith(store, {
    async claim(key, lease, options) {
      const claim = await store.claim(key, lease, options);
      if (options?.data === undefined) return claim;
      const { digest } = JSON.parse(options.data);
      const known = changed(claim, (record) => ({ ...record, digest }));
      return { ...claim, data: known.data ?? claim.data };
    },
  });
}

/** A network error that looks as if the request had never left. */
function neverLeft(error: unknown): never {
  if (error instanceof TypeError) {
    const cause = { code: 'ECONNREFUSED', syscall: 'connect' };
    throw new TypeError('fetch failed', { cause: Object.assign(new Error('refused'), cause) });
  }
  throw error;
}

/** Defects that a simulation worth its name finds: each is one that somebody could well write. */
export const planted: readonly System[] = [
  { name: 'the key is derived from a random', operationId: (_, call) => call },
  {
    name: 'the operation is not written down before it is sent',
    store: (store) => storeWith(store, { claim: (key, lease) => store.claim(key, lease) }),
  },
  {
    name: 'the operation is closed before it is sent',
    store: (store) =>
      onlyOperations(store, { claim: (key, lease, options) => claimAndClose(store, key, lease, options) }),
  },
  {
    name: 'the lease of an operation is ignored',
    store: (store) => onlyOperations(store, ignoringLeases(store)),
  },
  {
    name: "'unknown' is taken for 'not_executed'",
    store: (store) => refusing(store, ({ state }) => state === 'unknown'),
  },
  {
    name: 'a refusal is taken for the end of an earlier call',
    store: (store) => refusing(store, ({ state }, attempt) => state === 'unknown' && attempt > 1),
  },
  {
    name: 'an operation that is sent again still counts as refused',
    store: (store) => storeWith(store, { renew: async () => true }),
  },
  { name: 'the age of a key is ignored', journal: { keyLifetime: long } },
  { name: 'another body is not noticed', store: matchingEverything },
  { name: 'the lease of an event is ignored', store: (store) => onlyEvents(store, ignoringLeases(store)) },
  {
    name: 'an event is looked up after its handler',
    store: (store) =>
      onlyEvents(store, {
        async claim(key, lease, options) {
          const claim = await store.claim(key, lease, options);
          return claim.status === 'completed'
            ? { status: 'claimed', token: 'late', attempt: 1, data: undefined }
            : claim;
        },
      }),
  },
  {
    name: 'an event counts as handled before its handler',
    store: (store) =>
      onlyEvents(store, { claim: (key, lease, options) => claimAndClose(store, key, lease, options) }),
  },
  { name: 'a failed handler is acknowledged', receiver: { statuses: { failed: 200 } } },
  { name: 'an event that is being handled is acknowledged', receiver: { statuses: { in_progress: 200 } } },
  {
    name: 'a broken connection is taken for none',
    fetch: (fetch) => (request) => fetch(request).catch(neverLeft),
  },
  {
    name: "a gateway's failure is taken for a refusal",
    fetch: (fetch) => async (request) => {
      const response = await fetch(request);
      return response.status === 502 ? new Response(null, { status: 400 }) : response;
    },
  },
];
