import { formatPath } from '../../base/issue.ts';
import { declinedElsewhere } from '../../domain/payments/declined-elsewhere.ts';
import { invalidParameter } from '../../domain/problem.ts';
import { redact } from '../../sdk.ts';

type Path = readonly (string | number)[];

/** Deeper than the fields of any card; a body may be nested without end. */
const maxDepth = 8;

/** Returns the strings and numbers in a JSON value, with their paths. */
function* leavesOf(value: unknown, path: Path = []): Generator<readonly [text: string, path: Path]> {
  if (typeof value === 'string' || typeof value === 'number') yield [String(value), path];
  if (typeof value !== 'object' || value === null || path.length === maxDepth) return;
  for (const [name, part] of Object.entries(value)) {
    yield* leavesOf(part, [...path, Array.isArray(value) ? Number(name) : name]);
  }
}

/**
 * Rejects a test number that another service declines, wherever it is in the fields of a payment method: the method would pay.
 *
 * @throws Problem that names the field.
 */
export function checkNumbers(body: unknown): void {
  for (const [text, path] of leavesOf(body)) {
    const own = declinedElsewhere(text);
    if (own === undefined) continue;
    // A name may be a card number too.
    const param = redact(formatPath(path));
    const expected = 'no test number that another service declines';
    throw invalidParameter(param, `${param}: expected ${expected}. Use the payment method '${own.method}'.`);
  }
}
