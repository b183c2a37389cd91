import { createHash } from 'node:crypto';
import type { Fetch } from 'payments-client';
import type { ClaimResult } from 'payments-client/stores';
import type { ClaimStore } from '../support/stores.ts';
import { forgersSecret } from './dimensions/deliveries.ts';
import { keys } from './merchants.ts';
import { passing, throughOneFunction } from './passing.ts';
import type { PromiseName } from './promises.ts';
import type { System } from './virtual/seat.ts';

type Fields = Record<string, unknown>;
type KeyOptions = NonNullable<Parameters<ClaimStore['renew']>[3]>;
/** Functions in place of those of a store. */
type Others = (store: ClaimStore) => Partial<ClaimStore>;

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

/** One store for the operations of the journal, and one for the events of the receiver. */
function split(operations: ClaimStore, events: ClaimStore): ClaimStore {
  return throughOneFunction(({ key, ask }) => ask(key.startsWith('operation') ? operations : events));
}

/** A store with other functions for the journal, or for the receiver. */
const inJournal = (others: Others) => (store: ClaimStore) => split(passing(store, others(store)), store);
const inReceiver = (others: Others) => (store: ClaimStore) => split(store, passing(store, others(store)));

/** Reads the record of a claim wrongly; `asked` is the one that the caller would write. */
function reading(
  read: (record: Fields, asked: Fields | undefined, claim: ClaimResult, key: string) => Fields,
): Others {
  return (store) => ({
    async claim(key, lease, options) {
      const claim = await store.claim(key, lease, options);
      const asked = options?.data === undefined ? undefined : JSON.parse(options.data);
      return { ...claim, ...changed(key, claim, (record) => read(record, asked, claim, key)) };
    },
  });
}

const long = 1e12;

/** Completes a key as it is claimed. */
const closing: Others = (store) => ({
  async claim(key, lease, options) {
    const claim = await store.claim(key, lease, options);
    if (claim.status === 'claimed') {
      const data = changed(key, options, (record) => ({ ...record, state: 'done' }));
      await store.complete(key, claim.token, long, data);
    }
    return claim;
  },
});

/** Grants a claim to every process that asks for it. */
const ignoringLeases: Others = (store) => {
  const held = new Map<string, ClaimResult>();
  return {
    async claim(key, lease, options) {
      const claim = await store.claim(key, lease, options);
      if (claim.status === 'in_progress') return held.get(key) ?? claim;
      held.set(key, claim);
      return claim;
    },
  };
};

/** Grants a claim on a completed key if the condition holds. */
function reopening(isOpened: (data: string | undefined) => boolean): Others {
  return (store) => ({
    async claim(key, lease, options) {
      const known = await store.claim(key, lease, options);
      if (known.status !== 'completed' || !isOpened(known.data)) return known;
      return { status: 'claimed', token: 'reopened', attempt: 1, data: undefined };
    },
  });
}

/** Lets a process complete or release a claim that another one has taken over. */
const ignoringTokens: Others = (store) => {
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
};

/** Records that an event was handled when the event is delivered again. */
const recordingLate: Others = (store) => {
  const late = new Map<string, Parameters<ClaimStore['complete']>>();
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
};

/** Records an operation as refused if the condition holds. */
function refusing(isRefused: (record: Fields, attempt: number) => boolean): Others {
  return (store) => {
    const attempts = new Map<string, number>();
    return {
      async claim(key, lease, options) {
        const claim = await store.claim(key, lease, options);
        if (claim.status === 'claimed') attempts.set(key, claim.attempt);
        return claim;
      },
      release(key, token, options) {
        const refused = changed(key, options, (record) =>
          isRefused(record, attempts.get(key) ?? 0) ? { ...record, state: 'refused' } : record,
        );
        return store.release(key, token, refused);
      },
    };
  };
}

/** Leaves the account out of the keys of a store. */
const withoutAccounts: Others = (store) => {
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
};

/** Treats an operation that starts in the future as one that starts now, each time. */
const trustingTheFuture: Others = (store) => {
  const fromFuture = new Set<string>();
  return reading((record, asked, { status }, key) => {
    if (status !== 'claimed' || asked === undefined) return record;
    const { startedAt } = asked;
    if (Number(record['startedAt']) > Number(startedAt)) fromFuture.add(key);
    return fromFuture.has(key) ? { ...record, startedAt } : record;
  })(store);
};

interface Attempt {
  readonly key: string;
  /** The name of the call; `null` for a call by `resume`. */
  readonly call: string | null;
  readonly body: Fields;
}

let sent = 0;

/** Changes each attempt of a request that has a key. */
function changingAttempts(change: (attempt: Attempt, count: number) => Partial<Attempt>) {
  return (fetch: Fetch): Fetch =>
    async (request) => {
      const key = request.headers.get('idempotency-key');
      if (key === null) return fetch(request);
      sent += 1;
      const call = request.headers.get('x-call');
      const attempt = { key, call, body: JSON.parse(await request.text()) };
      const { key: other, body } = { ...attempt, ...change(attempt, sent) };
      const headers = { ...Object.fromEntries(request.headers), 'idempotency-key': other };
      return fetch(new Request(request.url, { method: 'POST', headers, body: JSON.stringify(body) }));
    };
}

/** Changes each response. */
function answering(change: (response: Response) => Response | Promise<Response>) {
  return (fetch: Fetch): Fetch =>
    async (request) =>
      change(await fetch(request));
}

/** A success in JSON that is not an object of the service. */
async function isOdd(response: Response): Promise<boolean> {
  if (response.status !== 200 || !response.headers.get('content-type')?.includes('json')) return false;
  // A body that is cut off is another defect's.
  const body = await response
    .clone()
    .text()
    .catch(() => undefined);
  return body !== undefined && !body.includes('"id"');
}

/** A response that claims that nothing was done. */
const refusal = () => new Response('{"error":{"code":"REFUSED"}}', { status: 400 });

/** Throws a network error that looks as if the request had never left. */
function neverLeft(error: unknown): never {
  if (error instanceof TypeError) {
    const cause = { code: 'ECONNREFUSED', syscall: 'connect' };
    throw new TypeError('fetch failed', { cause: Object.assign(new Error('refused'), cause) });
  }
  throw error;
}

/** The package with a defect. */
interface Defect extends System {
  /** A seed that finds it soon. Default: 0. */
  readonly seed?: number;
}

/** The defects that break each promise, each a plausible mistake. `npm test` plants the first of each. */
const defects: { readonly [Name in PromiseName]: readonly Defect[] } = {
  'one business operation has one charge': [
    {
      name: 'the store forgets by a clock that jumped',
      seed: 5,
      hasJumpingStore: true,
    },
    {
      name: 'each call has a new idempotency key',
      seed: 9,
      fetch: changingAttempts(({ key, call }) => ({ key: `${key}-${call}` })),
    },
  ],
  'nothing is repeated that could act twice': [
    {
      name: 'each attempt has a new idempotency key',
      seed: 5,
      fetch: changingAttempts(({ key }, count) => ({ key: `${key}-${count}` })),
    },
    {
      name: 'the body changes between attempts',
      seed: 71,
      fetch: changingAttempts(({ body }, attempt) => ({
        body: { ...body, metadata: { ...Object(body['metadata']), attempt: String(attempt) } },
      })),
    },
    {
      name: 'a broken connection is reported as never made',
      seed: 8,
      fetch: (fetch) => (request) => fetch(request).catch(neverLeft),
    },
    {
      name: 'a sale is retried after a broken connection',
      seed: 1,
      fetch: (fetch) => async (request) => {
        if (!request.url.endsWith('.php')) return fetch(request);
        // A clone cannot be sent again, but a wrapper may read the body itself.
        const { url, method, headers } = request;
        const body = await request.text();
        const send = () => fetch(new Request(url, { method, headers, body }));
        return send().catch(send);
      },
    },
  ],
  'a request is recorded before it is sent': [
    {
      name: 'the journal closes an operation before the send',
      seed: 1,
      store: inJournal(closing),
    },
    {
      name: 'the journal writes nothing before the send',
      store: (store) => passing(store, { claim: (key, lease) => store.claim(key, lease) }),
    },
    {
      name: 'the journal ignores leases',
      seed: 24,
      store: inJournal(ignoringLeases),
    },
    {
      name: 'a refused retry closes the first call as refused',
      seed: 3,
      store: inJournal(refusing(({ state }, attempt) => state === 'unknown' && attempt > 1)),
    },
    {
      name: 'an operation that is sent again still counts as refused',
      seed: 8,
      store: (store) => passing(store, { renew: async () => true }),
    },
  ],
  'the journal sends nothing that may have an end': [
    {
      name: 'an operation whose end the store lost counts as not sent',
      seed: 7,
      store: inJournal(
        reading((record, _, claim) => {
          const isUnended = claim.status === 'claimed' && claim.attempt > 1 && record['state'] === 'running';
          return isUnended ? { ...record, state: 'refused' } : record;
        }),
      ),
    },
    {
      name: 'a settled operation is reopened',
      seed: 0,
      store: inJournal(reopening((data = '{}') => JSON.parse(data).state === 'settled')),
    },
    {
      name: 'the journal ignores the age of a key',
      seed: 8,
      keyLifetime: long,
    },
    {
      name: 'an operation that starts in the future counts as new',
      seed: 10,
      store: inJournal(trustingTheFuture),
    },
  ],
  'the journal says truly how an operation ended': [
    {
      name: "'unknown' is recorded as 'not_executed'",
      seed: 7,
      store: inJournal(refusing(({ state }) => state === 'unknown')),
    },
    {
      name: "a gateway's 502 is reported as a refusal",
      seed: 1,
      fetch: answering((response) => (response.status === 502 ? refusal() : response)),
    },
    {
      name: 'a success of another shape is reported as a refusal',
      seed: 7,
      fetch: answering(async (response) => ((await isOdd(response)) ? refusal() : response)),
    },
    {
      name: 'a process ends a claim that another one took over',
      seed: 54,
      store: inJournal(ignoringTokens),
    },
  ],
  'a result is that of its operation': [
    {
      name: 'other parameters get the recorded result',
      seed: 7,
      store: inJournal(reading((record, asked) => (asked ? { ...record, digest: asked['digest'] } : record))),
    },
  ],
  'a record belongs to one account': [
    {
      name: 'the account is no part of the key',
      seed: 66,
      store: inJournal(withoutAccounts),
    },
    {
      name: 'the journal compares no account',
      seed: 3,
      store: inJournal(
        reading((record, asked) => {
          if (asked === undefined) return record;
          const { origin, mode, credential } = asked;
          return { ...record, origin, mode, credential };
        }),
      ),
    },
  ],
  'a person is asked what only a person can find out': [
    {
      name: 'a person gets nothing to look a sale up by',
      store: inJournal(reading((record) => ({ ...record, lookUp: {} }))),
    },
    {
      name: 'a claim whose answer was lost counts as sent',
      seed: 21,
      store: inJournal((store) => ({
        claim: (key, lease, options) => store.claim(key, lease, { data: options?.data }),
      })),
    },
  ],
  'an event is handled once, by one process at a time': [
    {
      name: 'the receiver records an event before its handler',
      seed: 1,
      store: inReceiver(closing),
    },
    {
      name: 'the receiver ignores leases',
      seed: 59,
      store: inReceiver(ignoringLeases),
    },
    {
      name: 'the receiver looks for duplicates after the handler',
      seed: 30,
      store: inReceiver(reopening(() => true)),
    },
  ],
  'an event is acknowledged when it is handled and recorded': [
    {
      name: 'the receiver acknowledges an event before it records it',
      store: inReceiver(recordingLate),
    },
    {
      name: 'the receiver acknowledges an event whose handler failed',
      seed: 6,
      response: (response) => response.replace('500 failed', '200 handled'),
    },
    {
      name: 'the receiver acknowledges an event in progress',
      seed: 11,
      response: (response) => response.replace('409 in_progress', '200 duplicate'),
    },
  ],
  'an event takes effect exactly once in a transaction': [
    {
      name: 'an event is handled again after a lost acknowledgement',
      seed: 1,
      store: inReceiver((store) => ({ complete: (key, token) => store.complete(key, token, 1) })),
    },
    {
      name: 'a transaction commits that the database has ended',
      seed: 7,
      store: inReceiver((store) => ({
        async complete(...args) {
          await store.complete(...args);
          return true;
        },
      })),
    },
  ],
  'a successful charge is never reported as failed': [
    {
      name: 'a success of another shape is reported as unknown',
      seed: 118,
      fetch: answering(async (response) => {
        const page = { headers: { 'content-type': 'text/html' } };
        return (await isOdd(response)) ? new Response('a page', page) : response;
      }),
    },
  ],
  'an error says truly whether money moved': [
    {
      name: "an error of unknown outcome says 'not_executed'",
      seed: 1,
      outcome: (outcome) => (outcome === 'unknown' ? 'not_executed' : outcome),
    },
    {
      name: 'a doubt that a process had no room for is forgotten',
      seed: 2,
      losesDoubts: true,
    },
    {
      name: 'an error that a durable engine stored lost its outcome',
      errorData: (form) => ({ ...Object(form), outcome: 'not_executed' }),
    },
    {
      name: 'the conflict of a repeated key is reported as a refusal',
      seed: 49,
      fetch: answering((response) => (response.status === 409 ? refusal() : response)),
    },
  ],
  'a result of an earlier call is current, or says so': [
    {
      name: 'a replayed result looks like a new one',
      seed: 1,
      fetch: answering(({ body, status, headers: given }) => {
        const headers = new Headers(given);
        headers.delete('idempotent-replayed');
        return new Response(body, { status, headers });
      }),
    },
    {
      name: 'the object of a repeat is that of its creation',
      fetch: (fetch) => async (request) => {
        const response = await fetch(request);
        if (request.method !== 'GET' || !response.ok) return response;
        const text = await response.text();
        return new Response(text.replace(/changed_\d+/, 'pending'), response);
      },
    },
  ],
  'no secret is shown or kept': [
    {
      name: 'a record keeps the key instead of its hash',
      store: inJournal((store) => ({
        claim: (key, lease, options) => {
          const keeping = (record: Fields) => ({ ...record, credential: keys.first.secretKey });
          return store.claim(key, lease, { ...options, ...changed(key, options, keeping) });
        },
      })),
    },
    {
      name: 'a rotated key is not learned',
      seed: 42,
      hasStaleKeys: true,
    },
  ],
  'every operation comes to an end': [
    {
      name: 'the journal records no end',
      store: inJournal(() => ({ complete: async () => true })),
    },
    {
      name: 'an account that is named later finds no earlier record',
      seed: 17,
      store: inJournal((store) => ({
        claim: async (key, lease, options) =>
          key.startsWith('operation/') && options?.data === undefined
            ? { status: 'claimed', token: 'none', attempt: 1, data: undefined }
            : store.claim(key, lease, options),
      })),
    },
  ],
  'a forged delivery has no effect': [
    {
      name: 'a forged signature is accepted',
      seed: 32,
      trusts: forgersSecret,
    },
  ],
  'every authentic event is handled': [
    {
      name: 'an unreadable delivery is dropped',
      seed: 17,
      dropsUnreadable: true,
    },
  ],
  'each delivery is answered and reported truly, once': [
    {
      name: 'duplicates are missing in the metrics',
      seed: 21,
      report: (report) => (report.outcome === 'duplicate' ? undefined : report),
    },
  ],
  'the money that moves is what was asked': [
    {
      name: 'a sale is charged in cents',
      seed: 4,
      fetch: (fetch) => async (request) => {
        if (!request.url.endsWith('.php')) return fetch(request);
        const { url, headers } = request;
        const body = (await request.text()).replace(/amount=(\d+)\./, 'amount=$1');
        return fetch(new Request(url, { method: 'POST', headers, body }));
      },
    },
  ],
  "a result names the service's object": [
    {
      name: 'a sale loses its transaction id',
      seed: 4,
      fetch: answering(async (response) => {
        const body = await response.text();
        return new Response(body.replace(/transactionid=\d+/, 'transactionid='), response);
      }),
    },
  ],
};

/** A defect, and the promise that it breaks. */
export interface PlantedDefect extends Defect {
  readonly breaks: string;
  /** Whether it is the first of its promise. */
  readonly isFirst: boolean;
}

export const planted: readonly PlantedDefect[] = Object.entries(defects).flatMap(([breaks, all]) =>
  all.map((defect, index) => ({ ...defect, breaks, isFirst: index === 0 })),
);
