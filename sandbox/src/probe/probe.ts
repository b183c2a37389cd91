import type { ServiceInterface } from 'payments-client';
import { routes } from '../sdk.ts';
import { Creations, type Leftover } from './created.ts';
import { type Finding, type Gap, type Need, notSeen } from './finding.ts';
import { fingerprintOf, isSame } from './fingerprint.ts';
import { errorShape } from './gaps/error-shape.ts';
import { formEncoding, formResponse, wrongSecurityKey } from './gaps/form.ts';
import { formAmounts } from './gaps/form-amounts.ts';
import { fields, idPrefixes, statuses, timestamps } from './gaps/listed-objects.ts';
import { objectPlace } from './gaps/object-place.ts';
import { itemsField, pageLimit } from './gaps/pages.ts';
import { requestIdHeader } from './gaps/request-id-header.ts';
import { routeGaps } from './gaps/routes.ts';
import { deletion, repeatedKey } from './gaps/test-customer.ts';
import { sessionFields } from './gaps/test-session.ts';
import { noCollection, noIdOf } from './impossible.ts';
import { type HoldsKey, keyFinder } from './keys.ts';
import type { Question, Reading } from './question.ts';
import { interrupted, Session, type SessionOptions } from './session.ts';
import { Sales } from './sold.ts';

/** The result for one gap. */
export interface Line {
  /** Its number in `docs/interface-gaps.md`. */
  readonly id: string;
  /** A short description of the unknown fact. */
  readonly title: string;
  /** The verdict. */
  readonly verdict: Finding['verdict'] | 'not asked';
  /** The observation in words, or what is needed to ask. */
  readonly detail?: string | undefined;
}

/** The result of a probe. */
export interface Report {
  /** A line for each gap, in the order of their numbers. */
  readonly lines: readonly Line[];
  /** The facts for the client. */
  readonly known: ServiceInterface;
  /** How many requests were sent. */
  readonly requests: number;
  /** Why the probe stopped early; `undefined` if it did not. */
  readonly stopped: string | undefined;
  /** What the probe created and could not delete. */
  readonly leftovers: readonly Leftover[];
}

/** Options of a probe. */
export interface ProbeOptions extends SessionOptions {
  /** What the probe may do in addition to reads. */
  readonly allows: ReadonlySet<Need>;
  /** The keys of the user, which the report must not repeat. */
  readonly keys: readonly string[];
  /** Finds out how a webhook delivery is signed, if there is one; called at the end, even after a stop. */
  readonly webhook?: ((isStopped: boolean) => Promise<Finding | undefined>) | undefined;
}

/** Every gap that requests can close, in the order of the probe. */
const allGaps: readonly Gap[] = [
  repeatedKey,
  itemsField,
  requestIdHeader,
  errorShape,
  ...routeGaps,
  objectPlace,
  timestamps,
  idPrefixes,
  statuses,
  fields,
  pageLimit,
  formEncoding,
  formResponse,
  wrongSecurityKey,
  formAmounts,
  sessionFields,
  deletion,
];

const needsOfKind: Readonly<Record<Question['kind'], readonly Need[]>> = {
  read: [],
  locked: ['a test key'],
  write: ['--create'],
  form: ['--form'],
  // No key of the form endpoint shows whether it is for tests, so that of the JSON API must.
  transaction: ['a test key', '--form', '--sale'],
};

/** Returns whether a question may be asked. A reading may ask more than its gap needs, to be more certain. */
function isAllowed({ kind }: Question, allows: ReadonlySet<Need>): boolean {
  return needsOfKind[kind].every((need) => allows.has(need));
}

async function readGap(gap: Gap, session: Session, allows: ReadonlySet<Need>): Promise<Finding | undefined> {
  if (gap.needs !== undefined && !allows.has(gap.needs)) return undefined;
  return session.run(gap.read());
}

function toLine(
  { id, title, needs }: Pick<Gap, 'id' | 'title' | 'needs'>,
  finding: Finding | undefined,
): Line {
  if (finding === undefined) return { id, title, verdict: 'not asked', detail: `needs ${needs}` };
  const { verdict, detail } = finding;
  return { id, title, verdict, detail };
}

function byNumber(one: Line, other: Line): number {
  return Number(one.id.slice(1)) - Number(other.id.slice(1));
}

/** Merges the interfaces of all findings. */
function merge(findings: readonly (Finding | undefined)[]): ServiceInterface {
  const found = Object.assign({}, ...findings.map((finding) => finding?.known?.routes));
  const known: ServiceInterface = Object.assign({ version: 1 }, ...findings.map((finding) => finding?.known));
  return Object.keys(found).length === 0 ? known : { ...known, routes: found };
}

const controls: readonly (Question & { readonly path: string })[] = [
  { kind: 'read', path: `/v1/${noCollection}` },
  {
    kind: 'locked',
    method: 'POST',
    path: routes['customers.restore'].path.replace('{id}', noIdOf('customer')),
    lock: 'key',
  },
];

/** Returns whether a service repeats its answers. Otherwise its answers prove nothing. */
function* isStable(): Reading<boolean> {
  for (const control of controls) {
    const [before, after] = [yield control, yield { ...control, again: true }];
    if (before === undefined || after === undefined) continue;
    if (!isSame(fingerprintOf(before, control.path), fingerprintOf(after, control.path))) return false;
  }
  return true;
}

/** A delivery closes this gap, not a request. */
const webhookGap = { id: 'G36', title: 'how deliveries are signed', needs: '--webhook' } as const;

/** The service answered the same request differently. */
const unstable: Finding = {
  verdict: 'not seen',
  detail: 'the service answered the same request in two ways',
};

/** Returns whether the service sent a key as an id. Only reads, writes and voids have its ids. */
function namesKey(question: Question, holdsKey: HoldsKey): boolean {
  if (question.kind === 'read') return holdsKey(question.path);
  if (question.kind === 'transaction' && question.transaction.type === 'void')
    return holdsKey(question.transaction.transactionid);
  return question.kind === 'write' && holdsKey(JSON.stringify([question.path, question.body]));
}

/** Returns a finding, unless it repeats a key. */
function withoutKeys(finding: Finding | undefined, holdsKey: HoldsKey): Finding | undefined {
  if (finding === undefined) return undefined;
  const { detail, known, words = [] } = finding;
  if (!holdsKey(JSON.stringify([detail, known])) && !holdsKey(words.join(''))) return finding;
  return notSeen('the answers repeat a secret, which is not shown');
}

/** Finds out which forms a service uses. */
export async function probe({ allows, keys, webhook, ...options }: ProbeOptions): Promise<Report> {
  const holdsKey = keyFinder(keys);
  const creations = new Creations(options.ask, holdsKey);
  const sales = new Sales((question) => creations.ask(question), holdsKey);
  const mayAsk = (question: Question) => isAllowed(question, allows) && !namesKey(question, holdsKey);
  const session = new Session({ ...options, ask: (question) => sales.ask(question) }, mayAsk);
  const findings = new Map<Pick<Gap, 'id' | 'title' | 'needs'>, Finding | undefined>();
  let leftovers: readonly Leftover[] = [];
  try {
    for (const gap of allGaps) findings.set(gap, await readGap(gap, session, allows));
    if (!(await session.run(isStable()))) {
      for (const [gap, finding] of findings) if (finding?.known?.routes) findings.set(gap, unstable);
    }
  } finally {
    leftovers = [...(await sales.cleanUp()), ...(await creations.cleanUp())];
  }
  findings.set(webhookGap, await webhook?.(session.stopped !== undefined));
  for (const [gap, finding] of findings) findings.set(gap, withoutKeys(finding, holdsKey));
  return {
    lines: [...findings].map(([gap, finding]) => toLine(gap, finding)).sort(byNumber),
    known: merge([...findings.values()]),
    requests: creations.count,
    stopped: session.stopped ?? (options.signal?.aborted ? interrupted : undefined),
    leftovers,
  };
}
