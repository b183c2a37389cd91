import { refuse } from '../base/errors.ts';
import {
  checkOptions,
  functionOf,
  having,
  optionIssues,
  optionsObject,
  optionsOf,
  timeFrom,
  unchecked,
} from '../base/schema/options.ts';
import * as s from '../base/schema/schema.ts';
import { day } from '../base/time.ts';
import type { Api } from '../http/execute.ts';
import type { CallJournal } from '../http/past/call-journal.ts';
import type { Secret } from '../http/request/secret.ts';
import { maxDuration, storableText } from '../stores/checks.ts';
import { keySpacesOf } from './account.ts';
import { Journal } from './journal.ts';
import { OperationLog } from './operation-log.ts';
import { isRingMember, RecordFormat } from './record-format.ts';
import { type AfterFailover, FailoverWatch } from './store/failover.ts';
import type { JournalStore } from './store/operation-store.ts';

/** Options of the journal of a client. */
export interface JournalOptions {
  /**
   * Records the business operations: `memoryStore()`, `sqliteStore(path)`, `redisStore(client)` or `postgresStore(pool)`. Each
   * access may take up to 5 s, beyond the `totalTimeout` of the call.
   */
  readonly store: JournalStore;
  /**
   * The name of one merchant in one environment, such as `shop-1-live`: 1 to 200 characters of your choice. Accounts that share a
   * store need one each, and so does an account whose key or base URL may change. Set it in all processes at once. Default: a
   * record is used only with the key and at the base URL of its first call; any other call throws an `OperationAccountError`.
   */
  readonly account?: string | undefined;
  /** How long an outcome or a rejection is remembered, in ms. Default: 34,560,000,000, 400 days. */
  readonly retention?: number | undefined;
  /**
   * Whether the journal keeps the parameters, so that `resume` can send them again, or only a digest. Default: `whole`. It never keeps your
   * secret keys, nor card data: of a card number in any field it keeps the last four digits, of a security code nothing, and of parameters with
   * one only the digest. Only
   * `operationId`, `orderid` and `transactionid`, and the `id` of a returned object, are kept whatever they look like.
   */
  readonly contents?: 'whole' | 'digest' | undefined;
  /**
   * Whether records hold names, addresses, e-mail addresses, phone numbers and IP addresses. If not, parameters with one are kept as a digest, so
   * that `resume` refuses them, and a recorded result has `null`, or an empty text, in place of each. All in `metadata` is kept. The digest covers them: with all other parameters at hand, a
   * guess of one can be checked. Default: true.
   */
  readonly keepsPersonalData?: boolean | undefined;
  /**
   * Encrypts parameters and results in the store: base64 of 32 random bytes, or a ring of different ones, such as `[new, old]`. The first
   * writes, and all read. The member `'plain'` stands for records in plain: `[key, 'plain']` also reads those that were written before,
   * and `['plain', key]` does not encrypt yet. Without `'plain'`, a record in plain is refused. Paths, ids, and the `lookUp` fields of
   * a sale stay in plain. Default: `'plain'`.
   */
  readonly encryptionKey?: string | readonly string[] | undefined;
  /**
   * What a failover of the store, or a restored backup, means for calls that the service knows by no key, such as sales: the store may have
   * forgotten them, so that a repeat would act again. `refuse` throws a `JournalError` before it sends one, until
   * `payments.journal.acknowledgeFailover()`. It needs a store that tells which server it is: `postgresStore`, or a `redisStore` that may run
   * `INFO`. With both values the first call writes a warning to the log. Default: `warn`.
   */
  readonly afterFailover?: AfterFailover | undefined;
  /** Returns the present time, in ms since 1970. For tests. Default: `Date.now`. */
  readonly now?: (() => number) | undefined;
}

/** The longest name of an account, in characters. */
const maxAccountLength = 200;

const accountText = '1 to 200 characters of well-formed Unicode without NUL, not only blanks';

function isAccount(text: string): boolean {
  return text.length <= maxAccountLength && text.trim() !== '';
}

const schema: s.Schema<JournalOptions> = /* @__PURE__ */ optionsOf<JournalOptions>(() => ({
  store: having<JournalStore>(
    'a store, such as memoryStore()',
    'claim',
    'renew',
    'complete',
    'release',
    'find',
    'open',
  ),
  account: s.optional(storableText(accountText).check(s.refine(isAccount, accountText))),
  retention: s.optional(timeFrom(1, maxDuration)),
  contents: s.optional(s.literal(['whole', 'digest'])),
  keepsPersonalData: s.optional(s.boolean()),
  // `ringOf` checks it, since one key and a list have paths of their own.
  encryptionKey: unchecked(),
  afterFailover: s.optional(s.literal(['warn', 'refuse'])),
  now: s.optional(functionOf<() => number>()),
}));

const memberText = "base64 of 32 bytes, or 'plain'";
const member = /* @__PURE__ */ s.lazily(() => s.string(memberText).check(s.refine(isRingMember, memberText)));
const ringText = 'one key or more, each of them once';
const isRing = (ring: readonly string[]) => ring.length > 0 && new Set(ring).size === ring.length;
const ring = /* @__PURE__ */ s.lazily(() => s.array(member).check(s.refine(isRing, ringText)));

/** @throws ConfigurationError that names each wrong key, and shows none. */
function checkKeys<Keys>(schema: s.Schema<Keys>, given: unknown): asserts given is Keys {
  const issues = optionIssues('createJournal.encryptionKey', schema, given, { sensitive: true });
  if (issues.length > 0) refuse(issues, 'Correct the options of createJournal.');
}

/** Returns a copy of the ring, which alone is checked. Throws as `checkKeys` does. */
function ringOf(encryptionKey: unknown): readonly string[] {
  if (encryptionKey === undefined) return [];
  if (!Array.isArray(encryptionKey)) {
    checkKeys(member, encryptionKey);
    return [encryptionKey];
  }
  const given: unknown = [...encryptionKey];
  checkKeys(ring, given);
  return given;
}

/** A journal, as the option `journal` of a client takes it. Make one with `createJournal`. */
export class ClientJournal {
  readonly #log: OperationLog;

  /** @internal */
  constructor(log: OperationLog) {
    this.#log = log;
  }

  /** @internal Records the calls of its clients. */
  get log(): CallJournal {
    return this.#log;
  }

  /** @internal Returns `payments.journal` of a client. */
  openFor(api: Api, securityKey: Secret | undefined): Journal {
    return new Journal(this.#log, api, securityKey);
  }
}

/**
 * Makes the journal of a client. It records each call that moves money and has an `operationId` or an `idempotencyKey` before it is sent, and its
 * result afterwards. A repeated call is not sent again once its result is known, even if the service has forgotten the key. One journal may
 * serve several clients.
 *
 * @throws ConfigurationError that names what is missing or wrong.
 *
 * @example
 * const payments = new PaymentsClient({ journal: createJournal({ store: sqliteStore('journal.sqlite') }) });
 */
export function createJournal(options: JournalOptions): ClientJournal {
  const given = optionsObject(options, 'createJournal({ store })');
  checkOptions('createJournal', schema, given);
  const { store, account, encryptionKey, contents = 'whole', now = Date.now } = given;
  const { retention = 400 * day, keepsPersonalData = true, afterFailover = 'warn' } = given;
  const format = new RecordFormat(ringOf(encryptionKey));
  const kept = { contents, keepsPersonalData, format };
  const [space] = keySpacesOf(account);
  const failover = new FailoverWatch({ store, key: `server/${space.name}`, afterFailover, now });
  return new ClientJournal(new OperationLog({ store, account, retention, now, failover, ...kept }));
}
