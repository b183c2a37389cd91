import type { Issue } from '../base/errors.ts';
import { issueWithin } from '../base/issue.ts';
import { functionOf, having, optionsOf, timeFrom } from '../base/schema/options.ts';
import * as s from '../base/schema/schema.ts';
import { issuesOf } from '../base/schema/validation.ts';
import { maxDuration, storableText } from '../stores/checks.ts';
import { aesCipher, isEncryptionKey, noCipher } from './cipher.ts';
import { OperationLog } from './operation-log.ts';
import type { JournalStore } from './operation-store.ts';
import { RecordFormat } from './record.ts';

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
  /**
   * How long the service is assumed to remember an idempotency key, in ms. An older business operation whose outcome is
   * unknown is not sent again: look it up. Default: 86,400,000, a day (*inferred*: the interface does not show it).
   */
  readonly keyLifetime?: number | undefined;
  /** How long an outcome or a rejection is remembered, in ms. Default: 34,560,000,000, 400 days. */
  readonly retention?: number | undefined;
  /**
   * Whether the journal keeps the parameters, so that `resume` can send them again, or only a digest. Default: `whole`.
   * It leaves out your secret keys and the documented card fields, but for the last four digits of a card. It keeps other
   * fields, bodies and responses as they are.
   */
  readonly contents?: 'whole' | 'digest' | undefined;
  /**
   * Encrypts parameters and results in the store: base64 of 32 random bytes. Paths, ids, and the `lookUp` fields of a sale
   * stay in plain. Default: everything is stored in plain.
   */
  readonly encryptionKey?: string | undefined;
  /** Returns the present time, in ms since 1970. For tests. Default: `Date.now`. */
  readonly now?: (() => number) | undefined;
}

/** The longest name of an account, in characters. */
const maxAccountLength = 200;

const keyText = 'base64 of 32 bytes';
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
    'open',
  ),
  account: s.optional(storableText(accountText).check(s.refine(isAccount, accountText))),
  keyLifetime: s.optional(timeFrom(1)),
  retention: s.optional(timeFrom(1, maxDuration)),
  contents: s.optional(s.literal(['whole', 'digest'])),
  encryptionKey: s.optional(s.string(keyText).check(s.refine(isEncryptionKey, keyText))),
  now: s.optional(functionOf<() => number>()),
}));

const day = 86_400_000;

/** Opens the log of a client's operations, and returns the issues of its options. Without options there is no log. */
export function openLog(options: JournalOptions | undefined): {
  readonly log: OperationLog | undefined;
  readonly issues: readonly Issue[];
} {
  if (options === undefined) return { log: undefined, issues: [] };
  const issues = issuesOf(schema, options).map((issue) => issueWithin('journal', issue));
  if (issues.length > 0) return { log: undefined, issues };
  const { store, account, encryptionKey, contents = 'whole', now = Date.now } = options;
  const { keyLifetime = day, retention = 400 * day } = options;
  const cipher = encryptionKey === undefined ? noCipher : aesCipher(encryptionKey);
  const format = new RecordFormat(cipher.seal);
  const settings = { store, account, keyLifetime, retention, contents, cipher, format, now };
  return { log: new OperationLog(settings), issues };
}
