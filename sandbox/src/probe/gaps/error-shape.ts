import type { ErrorShape } from '../../base/interface-types.ts';
import { isRecord } from '../../base/json.ts';
import { routes } from '../../sdk.ts';
import { asAssumed, type Gap, notSeen } from '../finding.ts';
import { noIdOf } from '../impossible.ts';
import { type Answer, fieldOf, type Reading, read } from '../question.ts';

/** Returns whether an object has the fields of an error. */
function isError(value: unknown): boolean {
  const hasText = (name: string) => typeof fieldOf(value, name) === 'string';
  return hasText('code') && (hasText('message') || hasText('detail'));
}

/** Returns the shape of a JSON error. */
function shapeOfJson(json: unknown, contentType: string): ErrorShape | undefined {
  const { error, errors } = Object(json);
  if (isError(error)) return 'nested';
  if (Array.isArray(errors) && isError(errors[0])) return 'list';
  if (!isError(json)) return undefined;
  const isProblem = contentType.includes('problem+json') || typeof fieldOf(json, 'title') === 'string';
  return isProblem ? 'problem' : 'flat';
}

/** Returns the shape of an error; `undefined` for an unknown shape. */
function shapeOf({ json, text, headers }: Answer): ErrorShape | undefined {
  if (isRecord(json)) return shapeOfJson(json, headers.get('content-type') ?? '');
  if (json !== undefined) return undefined;
  if (/^[A-Z][A-Z\d]*(?:_[A-Z\d]+)+: \S/.test(text)) return 'text';
  const isPage = /^\s*</.test(text) && /<(?:title|h1)\b[^<>]*>\s*[A-Z][A-Z\d]*(?:_[A-Z\d]+)+: /i.test(text);
  return isPage ? 'html' : undefined;
}

/** Collects errors of paths that the interface shows. Errors of unknown paths may come from a proxy before the service. */
function* errors(): Reading<readonly Answer[]> {
  const { path } = routes['products.list'];
  const answers = [
    yield* read(path, { limit: '0' }),
    yield* read(path, { limit: '1', offset: '0', starting_after: noIdOf('product') }),
    yield {
      kind: 'locked',
      method: 'DELETE',
      path: routes['customers.delete'].path.replace('{id}', noIdOf('customer')),
      lock: 'id',
    } as const,
  ];
  return answers
    .filter((answer) => answer !== undefined)
    .filter(({ status }) => status >= 400 && status < 500);
}

/** The shape of errors. */
export const errorShape: Gap = {
  id: 'G44',
  title: 'shape of an error',
  *read() {
    const shapes = (yield* errors()).map(shapeOf);
    const [shape] = shapes;
    if (shape === undefined || shapes.some((other) => other !== shape)) return notSeen();
    return asAssumed(shape, { errorShape: shape });
  },
};
