import type { HttpMethod } from '../base/interface-types.ts';
import { collectionNames } from '../base/known-names.ts';
import { collectionObjects, routes } from '../sdk.ts';
import type { Need } from './finding.ts';
import { isImpossible } from './impossible.ts';
import { collectionPaths } from './path-forms.ts';
import { probe } from './probe.ts';
import { type Answer, type Question, type TestTransaction, toAnswer } from './question.ts';
import { methodOf, targetOf } from './sender.ts';

function answerWith(status: number, body: object): Answer {
  return toAnswer(status, new Headers(), JSON.stringify(body));
}

const unknownPath = answerWith(404, { error: { code: 'UNKNOWN_PATH', message: 'unknown path' } });
const refused = answerWith(400, { error: { code: 'REFUSED', message: 'refused' } });

const kindByPath = new Map<string, string>(
  collectionNames.map((name) => [collectionPaths(name)[0] ?? '', collectionObjects[name]]),
);

/** Returns whether a path matches a route, with any id. */
function fits(template: string, path: string): boolean {
  const [expected, segments] = [template.split('/'), path.split('/')];
  const isSame = (segment: string, index: number) => segment === '{id}' || segment === segments[index];
  return expected.length === segments.length && expected.every(isSame);
}

/** Returns whether a method and a path are shown by the interface, or inferred. */
function exists(method: HttpMethod, path: string, isShownOnly: boolean): boolean {
  return Object.values(routes).some((route) => {
    if (route.method !== method || (isShownOnly && route.source !== 'shown')) return false;
    return fits(route.path, path);
  });
}

/** Simulates a service: either all inferences hold and each list has an object, or only the shown paths exist. */
const imagined =
  (isShownOnly: boolean) =>
  async (question: Question): Promise<Answer> => {
    if (question.kind === 'form')
      return answerWith(200, { response: '3', responsetext: question.securityKey });
    if (question.kind === 'transaction')
      return answerWith(200, { response: '1', transactionid: 'ID-OF-THE-SALE' });
    if (question.kind === 'write') return answerWith(200, { id: 'ID-OF-THE-NEW-ONE', ...question.body });
    const { path, kind } = question;
    if (!exists(methodOf(question), path, isShownOnly)) return unknownPath;
    if (kind === 'locked' || isImpossible(path)) return refused;
    const object = kindByPath.get(path);
    const item = { id: 'ID-FROM-THE-LIST', object };
    if (object === undefined) return answerWith(200, item);
    if (isShownOnly && Number(question.query?.['limit']) > 20) return refused;
    return answerWith(200, { data: isShownOnly ? [] : [item], has_more: false });
  };

function describeTransaction({ transaction }: TestTransaction): string {
  switch (transaction.type) {
    case 'validate':
      return 'checks a test card';
    case 'sale':
      return `a test sale of ${transaction.amount} ${transaction.currency ?? "in the account's currency"}`;
    case 'void':
      return 'voids a test sale';
  }
}

/** Describes a request. */
function describe(question: Question): string {
  const words = `${methodOf(question)} ${targetOf(question)}`;
  switch (question.kind) {
    case 'read':
      return words;
    case 'locked':
      return `${words} (${question.method === 'DELETE' ? 'an unknown id' : lockWords[question.lock]})`;
    case 'write':
      return `${words} (a test object)`;
    case 'form':
      return `${words} (${question.encoding}, the ${question.securityKey} key, no card and no amount)`;
    case 'transaction':
      return `${words} (${describeTransaction(question)})`;
  }
}

const lockWords = {
  key: 'a key of 300 characters and half a JSON object',
  body: 'half a JSON object',
  id: 'an unknown id',
} as const;

/**
 * Lists the requests that a probe may send: those to a service as inferred, and those to one where it must search for
 * everything. The search for the greatest limit may use other values.
 */
export async function listRequests(allows: ReadonlySet<Need>): Promise<readonly string[]> {
  const requests = new Set<string>();
  for (const isShownOnly of [false, true]) {
    await probe({
      allows,
      keys: [],
      ask: imagined(isShownOnly),
      pace: 0,
      maxRequests: Number.POSITIVE_INFINITY,
      onQuestion: (question) => requests.add(describe(question)),
    });
  }
  return [...requests];
}
