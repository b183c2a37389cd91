import { routes } from '../../sdk.ts';
import { asAssumed, differs, type Gap, notSeen } from '../finding.ts';
import type { Answer } from '../question.ts';

/** The names that the client looks for by default. */
const assumed = ['request-id', 'x-request-id'];

/** Names that other services use. */
const others = [
  'x-correlation-id',
  'correlation-id',
  'x-trace-id',
  'x-amzn-requestid',
  'x-amz-request-id',
  'x-ms-request-id',
  'cf-ray',
];

/** Returns whether a header is in every answer, with a different value in each. */
function identifies(name: string, answers: readonly Answer[]): boolean {
  const values = answers
    .map(({ headers }) => headers.get(name))
    .filter((value) => value !== null && value !== '');
  return values.length === answers.length && new Set(values).size === answers.length;
}

/** The header with the id of a request. */
export const requestIdHeader: Gap = {
  id: 'G68',
  title: 'header with the id of a request',
  *read() {
    const { path } = routes['products.list'];
    const answers: Answer[] = [];
    for (const limit of ['1', '2', '3']) {
      const answer = yield { kind: 'read', path, query: { limit } };
      if (answer !== undefined) answers.push(answer);
    }
    if (answers.length < 3) return notSeen();
    const name = [...assumed, ...others].find((candidate) => identifies(candidate, answers));
    if (name === undefined) return notSeen();
    return assumed.includes(name)
      ? asAssumed(name, { requestIdHeader: name })
      : differs(name, { requestIdHeader: name });
  },
};
