import { checkCall, checkOpen, checkScan, refuseClient } from './checks.ts';
import { inTime } from './in-time.ts';
import type { ClaimOptions, ClaimResult, OpenPage, OpenQuery, Store, TransactionOptions } from './store.ts';

/** Selects a page of a space. */
export type PageQuery = Extract<OpenQuery, { readonly space: string }>;

/** What a store does once the arguments are right. Each claim has a token. */
export interface Backend<Client = never> extends Omit<Store<Client>, 'claim' | 'open' | 'record'> {
  claim(key: string, token: string, lease: number, options?: ClaimOptions<Client>): Promise<ClaimResult>;
  list(query: PageQuery): Promise<OpenPage>;
  findOpen(key: string): Promise<OpenPage>;
}

/** How a store treats its calls. */
interface Treatment {
  /** How long a call may take, in ms. Default: as long as it takes. */
  readonly timeout?: number | undefined;
  /** Checks the `client` of a call. Default: refuses one, since the store has no transactions. */
  readonly checkClient?: (method: string, client: unknown) => void;
}

/** Returns a store that checks the arguments of each call, and bounds its time. */
export function checkedStore<Client>(
  backend: Backend<Client>,
  { timeout, checkClient = refuseClient }: Treatment = {},
): Store<Client> {
  const bound = <Result>(answer: Promise<Result>) =>
    timeout === undefined ? answer : inTime(answer, timeout);
  const check = (
    method: Parameters<typeof checkCall>[0],
    given: Readonly<Record<string, unknown>>,
    options: TransactionOptions<Client> | undefined,
  ) => {
    checkCall(method, given, options);
    checkClient(method, options?.client);
  };
  return {
    async claim(key, lease, options) {
      check('claim', { key, lease }, options);
      return bound(backend.claim(key, options?.token ?? crypto.randomUUID(), lease, options));
    },
    async renew(key, token, lease, options) {
      check('renew', { key, token, lease }, options);
      return bound(backend.renew(key, token, lease, options));
    },
    async complete(key, token, retention, options) {
      check('complete', { key, token, retention }, options);
      return bound(backend.complete(key, token, retention, options));
    },
    async release(key, token, options) {
      check('release', { key, token }, options);
      return bound(backend.release(key, token, options));
    },
    async find(key, options) {
      check('find', { key }, options);
      return bound(backend.find(key, options));
    },
    async open(query) {
      checkOpen(query);
      return bound('key' in query ? backend.findOpen(query.key) : backend.list(query));
    },
    async scan(query) {
      checkScan(query);
      return bound(backend.scan(query));
    },
    async replace(key, data, replacement) {
      checkCall('replace', { key, data, replacement }, undefined);
      return bound(backend.replace(key, data, replacement));
    },
    async advance(key, version, data, options) {
      check('advance', { key, version, data }, options);
      return bound(backend.advance(key, version, data, options));
    },
    check: (id, entries) => bound(backend.check(id, entries)),
  };
}
