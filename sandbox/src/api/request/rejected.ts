import type { Issue } from 'payments-client';
import { rootPath } from '../../base/issue.ts';
import { invalidParameter, type Problem } from '../../domain/problem.ts';
import { redact } from '../../sdk.ts';

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
