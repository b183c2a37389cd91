import type { ServiceInterface } from '../resources/service-interface.ts';
import type { Finding, Gap, Need } from './finding.ts';
import { allGaps } from './gaps/all-gaps.ts';
import type { Question } from './question.ts';
import { Session, type SessionOptions } from './session.ts';
import { isStable } from './stability.ts';

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
}

/** Options of a probe. */
export interface ProbeOptions extends SessionOptions {
  /** What the probe may do in addition to reads. */
  readonly allows: ReadonlySet<Need>;
  /** Finds out how a webhook delivery is signed, if there is one; called at the end, even after a stop. */
  readonly webhook?: ((isStopped: boolean) => Promise<Finding | undefined>) | undefined;
}

const needOfKind: Readonly<Record<Question['kind'], Need | undefined>> = {
  read: undefined,
  locked: 'a test key',
  write: '--create',
  form: '--form',
};

/** Returns whether a question may be asked. A reading may ask more than its gap needs, to be more certain. */
function isAllowed({ kind }: Question, allows: ReadonlySet<Need>): boolean {
  const need = needOfKind[kind];
  return need === undefined || allows.has(need);
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
  const routes = Object.assign({}, ...findings.map((finding) => finding?.known?.routes));
  const known: ServiceInterface = Object.assign({ version: 1 }, ...findings.map((finding) => finding?.known));
  return Object.keys(routes).length === 0 ? known : { ...known, routes };
}

/** A delivery closes this gap, not a request. */
const webhookGap = { id: 'G36', title: 'how deliveries are signed', needs: '--webhook' } as const;

/** The service answered the same request differently. */
const unstable: Finding = {
  verdict: 'not seen',
  detail: 'the service answered the same request in two ways',
};

/** Finds out which forms a service uses. */
export async function probe({ allows, webhook, ...options }: ProbeOptions): Promise<Report> {
  const session = new Session(options, (question) => isAllowed(question, allows));
  const findings = new Map<Pick<Gap, 'id' | 'title' | 'needs'>, Finding | undefined>();
  for (const gap of allGaps) findings.set(gap, await readGap(gap, session, allows));
  if (!(await session.run(isStable()))) {
    for (const [gap, finding] of findings) if (finding?.known?.routes) findings.set(gap, unstable);
  }
  findings.set(webhookGap, await webhook?.(session.stopped !== undefined));
  return {
    lines: [...findings].map(([gap, finding]) => toLine(gap, finding)).sort(byNumber),
    known: merge([...findings.values()]),
    requests: session.count,
    stopped: session.stopped,
  };
}
