import type { Fetch } from 'payments-client';
import type { ClaimOptions, ClaimResult, ClaimStore } from 'payments-client/stores';
import type { System } from './system.ts';

type Fields = Record<string, unknown>;
type Claim = ClaimStore['claim'];
type Complete = ClaimStore['complete'];

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

/** A store with other functions for the operations of the journal. */
function forOperations(store: ClaimStore, others: Partial<ClaimStore>): ClaimStore {
  return split(storeWith(store, others), store);
}

/** A store with other functions for the events of the receiver. */
function forEvents(store: ClaimStore, others: Partial<ClaimStore>): ClaimStore {
  return split(store, storeWith(store, others));
}

/** One store for the operations of the journal, and one for the events of the receiver. */
function split(operations: ClaimStore, events: ClaimStore): ClaimStore {
  const of = (key: string) => (key.startsWith('operation:') ? operations : events);
  return {
    claim: (key, lease, options) => of(key).claim(key, lease, options),
    renew: (key, token, lease, options) => of(key).renew(key, token, lease, options),
    complete: (key, token, time, options) => of(key).complete(key, token, time, options),
    release: (key, token, options) => of(key).release(key, token, options),
    open: (query) => operations.open(query),
  };
}

const long = 1e12;

/** Closes a key as it is claimed. */
function closing(store: ClaimStore): { readonly claim: Claim } {
  return {
    async claim(key, lease, options) {
      const claim = await store.claim(key, lease, options);
      if (claim.status === 'claimed') {
        const data = changed(options, (record) => ({ ...record, state: 'done' }));
        await store.complete(key, claim.token, long, data);
      }
      return claim;
    },
  };
}

/** Gives everyone the claim that somebody has. */
function ignoringLeases(store: ClaimStore): { readonly claim: Claim } {
  const held = new Map<string, ClaimResult>();
  return {
    async claim(key, lease, options) {
      const claim = await store.claim(key, lease, options);
      if (claim.status === 'in_progress') return held.get(key) ?? claim;
      held.set(key, claim);
      return claim;
    },
  };
}

/** Grants a claim on what was completed, where the condition holds. */
function reopening(store: ClaimStore, isOpened: (data: string | undefined) => boolean) {
  const claim: Claim = async (key, lease, options) => {
    const known = await store.claim(key, lease, options);
    if (known.status !== 'completed' || !isOpened(known.data)) return known;
    return { status: 'claimed', token: 'reopened', attempt: 1, data: undefined };
  };
  return { claim };
}

/** Lets a process end a claim that another one has taken over. */
function ignoringTokens(store: ClaimStore): Partial<ClaimStore> {
  const tokens = new Map<string, string>();
  const latest = (key: string, token: string) => tokens.get(key) ?? token;
  return {
    async claim(key, lease, options) {
      const claim = await store.claim(key, lease, options);
      if (claim.status === 'claimed') tokens.set(key, claim.token);
      return claim;
    },
    complete: (key, token, time, options) => store.complete(key, latest(key, token), time, options),
    release: (key, token, options) => store.release(key, latest(key, token), options),
  };
}

/** Records what was handled when the event comes again. */
function recordingLate(store: ClaimStore): Partial<ClaimStore> {
  const late = new Map<string, Parameters<Complete>>();
  return {
    async claim(key, lease, options) {
      const handled = late.get(key);
      if (handled !== undefined) await store.complete(...handled);
      return store.claim(key, lease, options);
    },
    async complete(...handled) {
      late.set(handled[0], handled);
      return true;
    },
  };
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

/** Takes an operation that nobody closed for one that was never sent. */
function forgettingSent(store: ClaimStore): { readonly claim: Claim } {
  return {
    async claim(key, lease, options) {
      const claim = await store.claim(key, lease, options);
      if (claim.status !== 'claimed' || claim.attempt === 1) return claim;
      const unsent = (record: Fields) =>
        record['state'] === 'running' ? { ...record, state: 'refused' } : record;
      return { ...claim, ...changed(claim, unsent) };
    },
  };
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

let sent = 0;

/** Sends each attempt of a request that has a key in another form. */
function changingAttempts(change: (attempt: Attempt, count: number) => Attempt): (fetch: Fetch) => Fetch {
  return (fetch) => async (request) => {
    const key = request.headers.get('idempotency-key');
    if (key === null) return fetch(request);
    sent += 1;
    const { body, ...attempt } = change({ key, body: JSON.parse(await request.text()) }, sent);
    const headers = { ...Object.fromEntries(request.headers), 'idempotency-key': attempt.key };
    return fetch(new Request(request.url, { method: 'POST', headers, body: JSON.stringify(body) }));
  };
}

interface Attempt {
  readonly key: string;
  readonly body: Fields;
}

/** A response that says that nothing was done. */
const refusal = () => new Response('{"error":{"code":"REFUSED"}}', { status: 400 });

/** Takes some responses for a refusal. */
function refusedWhere(isRefused: (status: number, body: string) => boolean): (fetch: Fetch) => Fetch {
  return (fetch) => async (request) => {
    const response = await fetch(request);
    const body = await response.clone().text();
    return isRefused(response.status, body) ? refusal() : response;
  };
}

/** A network error that looks as if the request had never left. */
function neverLeft(error: unknown): never {
  if (error instanceof TypeError) {
    const cause = { code: 'ECONNREFUSED', syscall: 'connect' };
    throw new TypeError('fetch failed', { cause: Object.assign(new Error('refused'), cause) });
  }
  throw error;
}

/** A defect, and whether it takes too many operations for the short form of the tests. */
interface Planted extends System {
  readonly isRare?: true;
}

/** Defects that a simulation worth its name finds: each is one that somebody could well write. */
export const planted: readonly Planted[] = [
  { name: 'the key is derived from a random', operationId: (_, call) => call },
  {
    name: 'each attempt has a key of its own',
    fetch: changingAttempts(({ key, body }, count) => ({ key: `${key}-${count}`, body })),
  },
  {
    name: 'the body changes between attempts',
    fetch: changingAttempts(({ key, body }, count) => ({
      key,
      body: { ...body, metadata: { ...Object(body['metadata']), attempt: String(count) } },
    })),
  },
  {
    name: 'the operation is not written down before it is sent',
    store: (store) => storeWith(store, { claim: (key, lease) => store.claim(key, lease) }),
  },
  {
    name: 'the operation is closed before it is sent',
    store: (store) => forOperations(store, closing(store)),
  },
  {
    name: 'the lease of an operation is ignored',
    store: (store) => forOperations(store, ignoringLeases(store)),
  },
  {
    name: 'a process that lost its lease still writes the end',
    isRare: true,
    store: (store) => forOperations(store, ignoringTokens(store)),
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
    name: 'an operation whose end was not written counts as not sent',
    store: (store) => forOperations(store, forgettingSent(store)),
  },
  {
    name: 'an operation that is sent again still counts as refused',
    store: (store) => storeWith(store, { renew: async () => true }),
  },
  {
    name: 'an operation that a person settled is opened again',
    store: (store) =>
      forOperations(
        store,
        reopening(store, (data = '{}') => JSON.parse(data).state === 'settled'),
      ),
  },
  { name: 'the age of a key is ignored', journal: { keyLifetime: long } },
  { name: 'another body is not noticed', store: matchingEverything },
  { name: 'the lease of an event is ignored', store: (store) => forEvents(store, ignoringLeases(store)) },
  {
    name: 'an event is looked up after its handler',
    store: (store) =>
      forEvents(
        store,
        reopening(store, () => true),
      ),
  },
  {
    name: 'an event counts as handled before its handler',
    store: (store) => forEvents(store, closing(store)),
  },
  {
    name: 'an event is acknowledged before it is recorded',
    store: (store) => forEvents(store, recordingLate(store)),
  },
  {
    name: 'an event whose acknowledgement got lost is new again',
    store: (store) => forEvents(store, { complete: (key, token) => store.complete(key, token, 1) }),
  },
  { name: 'a failed handler is acknowledged', receiver: { statuses: { failed: 200 } } },
  { name: 'an event that is being handled is acknowledged', receiver: { statuses: { in_progress: 200 } } },
  {
    name: 'a broken connection is taken for none',
    fetch: (fetch) => (request) => fetch(request).catch(neverLeft),
  },
  { name: "a gateway's failure is taken for a refusal", fetch: refusedWhere((status) => status === 502) },
  {
    name: 'the conflict of a repeated key is taken for a refusal',
    fetch: refusedWhere((status) => status === 409),
  },
  {
    name: 'a success that does not match is taken for a refusal',
    fetch: refusedWhere((status, body) => status === 200 && !/"id"|response=/.test(body)),
  },
  {
    name: 'a sale is sent again after its connection broke',
    fetch: (fetch) => async (request) => {
      if (!request.url.endsWith('.php')) return fetch(request);
      const again = request.clone();
      return fetch(request).catch(() => fetch(again));
    },
  },
];
