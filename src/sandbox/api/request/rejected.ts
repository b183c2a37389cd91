import { rootPath } from '../../../base/describe.ts';
import type { Issue } from '../../../base/issue.ts';
import { redact } from '../../../base/redact.ts';
import { invalidParameter, type Problem } from '../../domain/problem.ts';

/**
 * Returns the error for an invalid parameter.
 *
 * @param advice What to do, if what was expected does not say it.
 */
export function rejected({ path, expected, received }: Issue, advice?: string): Problem {
  // A name may be a card number.
  const param = path === rootPath ? 'body' : redact(path);
  const message = `${param}: expected ${expected}, got ${received}.`;
  return invalidParameter(param, advice === undefined ? message : `${message} ${advice}`);
}
