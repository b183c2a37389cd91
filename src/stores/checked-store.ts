import { checkCall, checkOpen, refuseClient } from './checks.ts';
import { inTime } from './in-time.ts';
import type {
  ClaimOptions,
  ClaimResult,
  KeptSnapshot,
  KeyedOptions,
  OpenPage,
  OpenQuery,
  ReleaseOptions,
  Store,
  TransactionOptions,
} from './store.ts';

/** A claim of a key, or the renewal of one. */
export type ClaimCall<Client = never> = ClaimOptions<Client> & {
  readonly key: string;
  readonly token: string;
  readonly lease: number;
};

/** A completion, by the token of the claim. */
export type CompleteCall<Client = never> = KeyedOptions<Client> &
  Pick<ClaimCall, 'key' | 'token'> & { readonly retention: number };

/** A release, by the token of the claim. */
export type ReleaseCall<Client = never> = ReleaseOptions<Client> & Pick<ClaimCall, 'key' | 'token'>;

/** A snapshot to store. */
export type AdvanceCall<Client = never> = TransactionOptions<Client> &
  KeptSnapshot & { readonly key: string };

/** Selects a page of a space. */
export type PageQuery = Extract<OpenQuery, { readonly space: string }>;

/** What a store does once the arguments are right. */
export interface Backend<Client = never> extends Pick<Store<Client>, 'check'> {
  claim(call: ClaimCall<Client>): Promise<ClaimResult>;
  renew(call: ClaimCall<Client>): Promise<boolean>;
  complete(call: CompleteCall<Client>): Promise<boolean>;
  release(call: ReleaseCall<Client>): Promise<boolean>;
  list(query: PageQuery): Promise<OpenPage>;
  find(key: string): Promise<OpenPage>;
  advance(call: AdvanceCall<Client>): Promise<KeptSnapshot>;
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
      return bound(backend.claim({ ...options, key, lease, token: options?.token ?? crypto.randomUUID() }));
    },
    async renew(key, token, lease, options) {
      check('renew', { key, token, lease }, options);
      return bound(backend.renew({ ...options, key, token, lease }));
    },
    async complete(key, token, retention, options) {
      check('complete', { key, token, retention }, options);
      return bound(backend.complete({ ...options, key, token, retention }));
    },
    async release(key, token, options) {
      check('release', { key, token }, options);
      return bound(backend.release({ ...options, key, token }));
    },
    async open(query) {
      checkOpen(query);
      return bound('key' in query ? backend.find(query.key) : backend.list(query));
    },
    async advance(key, version, data, options) {
      check('advance', { key, version, data }, options);
      return bound(backend.advance({ ...options, key, version, data }));
    },
    check: (id, entries) => bound(backend.check(id, entries)),
  };
}
