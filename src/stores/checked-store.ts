import { checkCall, checkDue, checkOpen, checkScan, refuseClient } from './checks.ts';
import { inTime } from './in-time.ts';
import { type DocumentSave, savedDocument } from './records/document.ts';
import type { ClaimOptions, ClaimResult, OpenPage, OpenQuery, Store, TransactionOptions } from './store.ts';

/** Selects a page of a space. */
export type PageQuery = Extract<OpenQuery, { readonly space: string }>;

/** What a store does once the arguments are right. Each claim has a token. */
export interface Backend<Client = never> extends Omit<Store<Client>, 'claim' | 'open' | 'save' | 'record'> {
  claim(key: string, token: string, lease: number, options?: ClaimOptions<Client>): Promise<ClaimResult>;
  list(query: PageQuery): Promise<OpenPage>;
  findOpen(key: string): Promise<OpenPage>;
  save(document: DocumentSave): Promise<boolean>;
}

/** How a store treats its calls. */
interface Treatment {
  /** How long a call may take, in ms. Default: as long as it takes. */
  readonly timeout?: number | undefined;
  /** Checks the `client` of a call. Default: refuses one, since the store has no transactions. */
  readonly checkClient?: (method: string, client: unknown) => void;
  /** Throws if no call is possible now. Default: each is. */
  readonly beforeCall?: () => void;
}

/** Returns a store that checks the arguments of each call, and bounds its time. */
export function checkedStore<Client>(
  backend: Backend<Client>,
  { timeout, checkClient = refuseClient, beforeCall = () => {} }: Treatment = {},
): Store<Client> {
  const ask = async <Result>(call: () => Promise<Result>) => {
    beforeCall();
    return timeout === undefined ? call() : inTime(call(), timeout);
  };
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
      return ask(() => backend.claim(key, options?.token ?? crypto.randomUUID(), lease, options));
    },
    async renew(key, token, lease, options) {
      check('renew', { key, token, lease }, options);
      return ask(() => backend.renew(key, token, lease, options));
    },
    async complete(key, token, retention, options) {
      check('complete', { key, token, retention }, options);
      return ask(() => backend.complete(key, token, retention, options));
    },
    async release(key, token, options) {
      check('release', { key, token }, options);
      return ask(() => backend.release(key, token, options));
    },
    async find(key, options) {
      check('find', { key }, options);
      return ask(() => backend.find(key, options));
    },
    async open(query) {
      checkOpen(query);
      return ask(() => ('key' in query ? backend.findOpen(query.key) : backend.list(query)));
    },
    async scan(query) {
      checkScan(query);
      return ask(() => backend.scan(query));
    },
    async replace(key, data, replacement) {
      checkCall('replace', { key, data, replacement }, undefined);
      return ask(() => backend.replace(key, data, replacement));
    },
    async advance(key, version, data, options) {
      check('advance', { key, version, data }, options);
      return ask(() => backend.advance(key, version, data, options));
    },
    async load(key) {
      checkCall('load', { key }, undefined);
      return ask(() => backend.load(key));
    },
    async save(key, version, data, index) {
      const document = savedDocument(key, version, data, index);
      return ask(() => backend.save(document));
    },
    async lookUp(reference) {
      checkCall('lookUp', { reference }, undefined);
      return ask(() => backend.lookUp(reference));
    },
    async due(query) {
      checkDue(query);
      return ask(() => backend.due(query));
    },
    check: (id, entries) => ask(() => backend.check(id, entries)),
  };
}
