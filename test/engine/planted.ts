import { createHash } from 'node:crypto';
import type { Fetch } from 'payments-client';
import type { ClaimResult } from 'payments-client/stores';
import type { ClaimStore } from '../support/stores.ts';
import { forgersSecret } from './dimensions/deliveries.ts';
import { keys } from './merchants.ts';
import type { PromiseName } from './promises.ts';
import type { System } from './virtual/seat.ts';

type Fields = Record<string, unknown>;
type Claim = ClaimStore['claim'];
type KeyOptions = NonNullable<Parameters<ClaimStore['renew']>[3]>;
type Complete = ClaimStore['complete'];

/** Data of a record, changed and sealed again for its key. */
function changed(
  key: string,
  options: KeyOptions | undefined,
  change: (record: Fields) => Fields,
): { readonly data?: string } {
  if (options?.data === undefined) return {};
  const { seal: _, ...record } = JSON.parse(options.data);
  const json = JSON.stringify(change(record));
  const seal = createHash('sha256').update(`${key}\n${json}`).digest('hex');
  return { data: `${json.slice(0, -1)},"seal":"${seal}"}` };
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
  const of = (key: string) => (key.startsWith('operation') ? operations : events);
  return {
    claim: (key, lease, options) => of(key).claim(key, lease, options),
    renew: (key, token, lease, options) => of(key).renew(key, token, lease, options),
    complete: (key, token, time, options) => of(key).complete(key, token, time, options),
    release: (key, token, options) => of(key).release(key, token, options),
    open: (query) => operations.open(query),
  };
}

const long = 1e12;

/** Completes a key as it is claimed. */
function closing(store: ClaimStore): { readonly claim: Claim } {
  return {
    async claim(key, lease, options) {
      const claim = await store.claim(key, lease, options);
      if (claim.status === 'claimed') {
        const data = changed(key, options, (record) => ({ ...record, state: 'done' }));
        await store.complete(key, claim.token, long, data);
      }
      return claim;
    },
  };
}

/** Grants a claim to every process that asks for it. */
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

/** Grants a claim on a completed key if the condition holds. */
function reopening(store: ClaimStore, isOpened: (data: string | undefined) => boolean) {
  const claim: Claim = async (key, lease, options) => {
    const known = await store.claim(key, lease, options);
    if (known.status !== 'completed' || !isOpened(known.data)) return known;
    return { status: 'claimed', token: 'reopened', attempt: 1, data: undefined };
  };
  return { claim };
}

/** Lets a process complete or release a claim that another one has taken over. */
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

/** Records that an event was handled when the event is delivered again. */
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

/** Records an operation as refused if the condition holds. */
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
        changed(key, options, (record) =>
          isRefused(record, attempts.get(key) ?? 0) ? { ...record, state: 'refused' } : record,
        ),
      ),
  });
}

/** Treats an operation without a recorded end as never sent. */
function forgettingSent(store: ClaimStore): { readonly claim: Claim } {
  return {
    async claim(key, lease, options) {
      const claim = await store.claim(key, lease, options);
      if (claim.status !== 'claimed' || claim.attempt === 1) return claim;
      const unsent = (record: Fields) =>
        record['state'] === 'running' ? { ...record, state: 'refused' } : record;
      return { ...claim, ...changed(key, claim, unsent) };
    },
  };
}

/** Treats every body as the recorded one. */
function matchingEverything(store: ClaimStore): ClaimStore {
  return storeWith(store, {
    async claim(key, lease, options) {
      const claim = await store.claim(key, lease, options);
      if (options?.data === undefined) return claim;
      const { digest } = JSON.parse(options.data);
      const known = changed(key, claim, (record) => ({ ...record, digest }));
      return { ...claim, data: known.data ?? claim.data };
    },
  });
}

/** Takes the record of any merchant for one of the caller. */
function comparingNoAccount(store: ClaimStore): { readonly claim: Claim } {
  return {
    async claim(key, lease, options) {
      const claim = await store.claim(key, lease, options);
      if (options?.data === undefined) return claim;
      const { origin, mode, credential } = JSON.parse(options.data);
      return { ...claim, ...changed(key, claim, (record) => ({ ...record, origin, mode, credential })) };
    },
  };
}

/** Leaves the account out of the keys of a store. */
function withoutAccounts(store: ClaimStore): ClaimStore {
  const shared = 'operation.shared';
  const short = (text: string) => text.replace(/^operation\.\w+/, shared);
  const sealedFor = <Answer extends KeyOptions>(key: string, answer: Answer) => ({
    ...answer,
    ...changed(key, answer, (record) => record),
  });
  return {
    claim: async (key, lease, options) => sealedFor(key, await store.claim(short(key), lease, options)),
    renew: (key, token, lease, options) => store.renew(short(key), token, lease, options),
    complete: (key, token, time, options) => store.complete(short(key), token, time, options),
    release: (key, token, options) => store.release(short(key), token, options),
    open: async (query) => {
      const [own = ''] = ('key' in query ? query.key : query.space).split('/');
      const page = await store.open(
        'key' in query ? { key: short(query.key) } : { space: short(query.space), limit: query.limit },
      );
      const claims = page.claims.map((open) => {
        const key = open.key.replace(shared, own);
        return { ...open, key, data: sealedFor(key, open).data };
      });
      return { ...page, claims };
    },
  };
}

/** Finds no record that was made before the journal named its account. */
function forgettingUnnamed(store: ClaimStore): { readonly claim: Claim } {
  return {
    claim: async (key, lease, options) =>
      key.startsWith('operation/') && options?.data === undefined
        ? { status: 'claimed', token: 'none', attempt: 1, data: undefined }
        : store.claim(key, lease, options),
  };
}

/** Treats an operation that starts in the future as one that starts now, each time. */
function trustingTheFuture(store: ClaimStore): { readonly claim: Claim } {
  const fromFuture = new Set<string>();
  return {
    async claim(key, lease, options) {
      const claim = await store.claim(key, lease, options);
      if (claim.status !== 'claimed' || options?.data === undefined) return claim;
      const { startedAt: now } = JSON.parse(options.data);
      const known = changed(key, claim, (record) => {
        if (Number(record['startedAt']) > now) fromFuture.add(key);
        return fromFuture.has(key) ? { ...record, startedAt: now } : record;
      });
      return { ...claim, ...known };
    },
  };
}

let sent = 0;

/** Changes each attempt of a request that has a key. */
function changingAttempts(
  change: (attempt: Attempt, count: number) => Pick<Attempt, 'key' | 'body'>,
): (fetch: Fetch) => Fetch {
  return (fetch) => async (request) => {
    const key = request.headers.get('idempotency-key');
    if (key === null) return fetch(request);
    sent += 1;
    const call = request.headers.get('x-call');
    const attempt = change({ key, call, body: JSON.parse(await request.text()) }, sent);
    const headers = { ...Object.fromEntries(request.headers), 'idempotency-key': attempt.key };
    return fetch(new Request(request.url, { method: 'POST', headers, body: JSON.stringify(attempt.body) }));
  };
}

interface Attempt {
  readonly key: string;
  /** The name of the call; `null` for a call by `resume`. */
  readonly call: string | null;
  readonly body: Fields;
}

/** A response that claims that nothing was done. */
const refusal = () => new Response('{"error":{"code":"REFUSED"}}', { status: 400 });

/** Replaces responses by a rejection if the condition holds. */
function refusedWhere(isRefused: (status: number, body: string) => boolean): (fetch: Fetch) => Fetch {
  return (fetch) => async (request) => {
    const response = await fetch(request);
    const body = await response.clone().text();
    return isRefused(response.status, body) ? refusal() : response;
  };
}

/** Throws a network error that looks as if the request had never left. */
function neverLeft(error: unknown): never {
  if (error instanceof TypeError) {
    const cause = { code: 'ECONNREFUSED', syscall: 'connect' };
    throw new TypeError('fetch failed', { cause: Object.assign(new Error('refused'), cause) });
  }
  throw error;
}

/** Changes the headers of each response. */
function withHeaders(change: (headers: Headers) => void): (fetch: Fetch) => Fetch {
  return (fetch) => async (request) => {
    const response = await fetch(request);
    const headers = new Headers(response.headers);
    change(headers);
    return new Response(response.body, { status: response.status, headers });
  };
}

/** The package with a defect, and the promise that it breaks. */
export interface PlantedDefect extends System {
  readonly breaks: PromiseName;
  /** A seed that finds it soon, where the first one does not. */
  readonly seed?: number;
}

/** Defects that the engine must find. Each is a plausible mistake. */
export const planted: readonly PlantedDefect[] = [
  {
    name: 'each call has a new idempotency key',
    breaks: 'one business operation has one charge',
    fetch: changingAttempts(({ key, call, body }) => ({ key: `${key}-${call}`, body })),
  },
  {
    name: 'each attempt has a new idempotency key',
    breaks: 'nothing is repeated that could act twice',
    fetch: changingAttempts(({ key, body }, count) => ({ key: `${key}-${count}`, body })),
  },
  {
    name: 'the body changes between attempts',
    breaks: 'nothing is repeated that could act twice',
    fetch: changingAttempts(({ key, body }, count) => ({
      key,
      body: { ...body, metadata: { ...Object(body['metadata']), attempt: String(count) } },
    })),
  },
  {
    name: 'the journal writes nothing before the send',
    breaks: 'a request is recorded before it is sent',
    store: (store) => storeWith(store, { claim: (key, lease) => store.claim(key, lease) }),
  },
  {
    name: 'the journal closes an operation before the send',
    breaks: 'the journal sends nothing that may have an end',
    store: (store) => forOperations(store, closing(store)),
  },
  {
    name: 'the journal ignores leases',
    breaks: 'a request is recorded before it is sent',
    store: (store) => forOperations(store, ignoringLeases(store)),
  },
  {
    name: "'unknown' is recorded as 'not_executed'",
    breaks: 'the journal says truly how an operation ended',
    store: (store) => refusing(store, ({ state }) => state === 'unknown'),
  },
  {
    name: 'a refused retry closes the first call as refused',
    breaks: 'a request is recorded before it is sent',
    store: (store) => refusing(store, ({ state }, attempt) => state === 'unknown' && attempt > 1),
  },
  {
    name: 'an operation whose end the store lost counts as not sent',
    breaks: 'the journal sends nothing that may have an end',
    store: (store) => forOperations(store, forgettingSent(store)),
  },
  {
    name: 'an operation that is sent again still counts as refused',
    breaks: 'a request is recorded before it is sent',
    store: (store) => storeWith(store, { renew: async () => true }),
  },
  {
    name: 'a settled operation is reopened',
    breaks: 'the journal sends nothing that may have an end',
    store: (store) =>
      forOperations(
        store,
        reopening(store, (data = '{}') => JSON.parse(data).state === 'settled'),
      ),
  },
  {
    name: 'the journal ignores the age of a key',
    breaks: 'the journal sends nothing that may have an end',
    journal: { keyLifetime: long },
  },
  {
    name: 'other parameters get the recorded result',
    breaks: 'a result is that of its operation',
    seed: 1,
    store: matchingEverything,
  },
  {
    name: 'the journal compares no account',
    breaks: 'a record belongs to one account',
    store: (store) => forOperations(store, comparingNoAccount(store)),
  },
  {
    name: 'the account is no part of the key',
    breaks: 'a record belongs to one account',
    store: (store) => split(withoutAccounts(store), store),
  },
  {
    name: 'an account that is named later finds no earlier record',
    breaks: 'the journal sends nothing that may have an end',
    store: (store) => forOperations(store, forgettingUnnamed(store)),
  },
  {
    name: 'the store forgets by a clock that jumped',
    breaks: 'one business operation has one charge',
    hasJumpingStore: true,
  },
  {
    name: 'a person gets nothing to look a sale up by',
    breaks: 'a person is asked what only a person can find out',
    store: (store) =>
      forOperations(store, {
        async claim(key, lease, options) {
          const claim = await store.claim(key, lease, options);
          return { ...claim, ...changed(key, claim, (record) => ({ ...record, lookUp: {} })) };
        },
      }),
  },
  {
    name: 'a claim whose answer was lost counts as sent',
    breaks: 'a person is asked what only a person can find out',
    store: (store) =>
      forOperations(store, {
        claim: (key, lease, options) => store.claim(key, lease, { data: options?.data }),
      }),
  },
  {
    name: 'the receiver ignores leases',
    breaks: 'an event is handled once, by one process at a time',
    store: (store) => forEvents(store, ignoringLeases(store)),
  },
  {
    name: 'the receiver looks for duplicates after the handler',
    breaks: 'an event is handled once, by one process at a time',
    store: (store) =>
      forEvents(
        store,
        reopening(store, () => true),
      ),
  },
  {
    name: 'the receiver records an event before its handler',
    breaks: 'an event is handled once, by one process at a time',
    store: (store) => forEvents(store, closing(store)),
  },
  {
    name: 'the receiver acknowledges an event before it records it',
    breaks: 'an event is acknowledged when it is handled and recorded',
    store: (store) => forEvents(store, recordingLate(store)),
  },
  {
    name: 'an event is handled again after a lost acknowledgement',
    breaks: 'an event takes effect exactly once in a transaction',
    store: (store) => forEvents(store, { complete: (key, token) => store.complete(key, token, 1) }),
  },
  {
    name: 'the receiver acknowledges an event whose handler failed',
    breaks: 'an event is acknowledged when it is handled and recorded',
    response: (response) => response.replace('500 failed', '200 handled'),
  },
  {
    name: 'the receiver acknowledges an event in progress',
    breaks: 'an event is acknowledged when it is handled and recorded',
    response: (response) => response.replace('409 in_progress', '200 duplicate'),
  },
  {
    name: 'a broken connection is reported as never made',
    breaks: 'nothing is repeated that could act twice',
    fetch: (fetch) => (request) => fetch(request).catch(neverLeft),
  },
  {
    name: "a gateway's 502 is reported as a refusal",
    breaks: 'the journal says truly how an operation ended',
    fetch: refusedWhere((status) => status === 502),
  },
  {
    name: 'the conflict of a repeated key is reported as a refusal',
    breaks: 'a successful charge is never reported as failed',
    fetch: refusedWhere((status) => status === 409),
  },
  {
    name: 'a success of another shape is reported as a refusal',
    breaks: 'a successful charge is never reported as failed',
    fetch: refusedWhere((status, body) => status === 200 && !/"id"|response=/.test(body)),
  },
  {
    name: "an error of unknown outcome says 'not_executed'",
    breaks: 'an error says truly whether money moved',
    outcome: (outcome) => (outcome === 'unknown' ? 'not_executed' : outcome),
  },
  {
    name: 'a sale is retried after a broken connection',
    breaks: 'nothing is repeated that could act twice',
    fetch: (fetch) => async (request) => {
      if (!request.url.endsWith('.php')) return fetch(request);
      // A clone cannot be sent again, but a wrapper may read the body itself.
      const { url, method, headers } = request;
      const body = await request.text();
      const send = () => fetch(new Request(url, { method, headers, body }));
      return send().catch(send);
    },
  },
  {
    name: 'a success of another shape is reported as unknown',
    breaks: 'a successful charge is never reported as failed',
    fetch: (fetch) => async (request) => {
      const response = await fetch(request);
      const body = await response.text();
      const isOdd = response.status === 200 && !/"id"|response=/.test(body);
      return new Response(
        isOdd ? 'a page' : body,
        isOdd ? { headers: { 'content-type': 'text/html' } } : response,
      );
    },
  },
  {
    name: 'a replayed result looks like a new one',
    breaks: 'a result of an earlier call says so',
    fetch: withHeaders((headers) => headers.delete('idempotent-replayed')),
  },
  {
    name: 'a record keeps the key instead of its hash',
    breaks: 'no secret is shown or kept',
    store: (store) =>
      forOperations(store, {
        claim: (key, lease, options) => {
          const keeping = (record: Fields) => ({ ...record, credential: keys.first.secretKey });
          return store.claim(key, lease, { ...options, ...changed(key, options, keeping) });
        },
      }),
  },
  { name: 'a rotated key is not learned', breaks: 'no secret is shown or kept', hasStaleKeys: true },
  {
    name: 'the journal records no end',
    breaks: 'every operation comes to an end',
    seed: 2,
    store: (store) => forOperations(store, { complete: async () => true }),
  },
  {
    name: 'a forged signature is accepted',
    breaks: 'a forged delivery has no effect',
    trusts: forgersSecret,
  },
  {
    name: 'a transaction commits that the database has ended',
    breaks: 'an event takes effect exactly once in a transaction',
    seed: 7,
    store: (store) =>
      forEvents(store, {
        async complete(...args) {
          await store.complete(...args);
          return true;
        },
      }),
  },
  {
    name: 'an unreadable delivery is dropped',
    breaks: 'every authentic event is handled',
    seed: 1,
    dropsUnreadable: true,
  },
  {
    name: 'duplicates are missing in the metrics',
    breaks: 'each delivery is answered and reported truly, once',
    seed: 1,
    report: (report) => (report.outcome === 'duplicate' ? undefined : report),
  },
  {
    name: 'a sale loses its transaction id',
    breaks: "a result names the service's object",
    fetch: (fetch) => async (request) => {
      const response = await fetch(request);
      const body = await response.text();
      return new Response(body.replace(/transactionid=\d+/, 'transactionid='), response);
    },
  },
  {
    name: 'a process ends a claim that another one took over',
    breaks: 'the journal says truly how an operation ended',
    store: (store) => forOperations(store, ignoringTokens(store)),
  },
  {
    name: 'an operation that starts in the future counts as new',
    breaks: 'the journal sends nothing that may have an end',
    store: (store) => forOperations(store, trustingTheFuture(store)),
  },
];
