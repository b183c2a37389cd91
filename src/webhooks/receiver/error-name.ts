import { errorCode } from '../../base/error-code.ts';
import { Redactor } from '../../base/redact.ts';

const redactor = new Redactor();

/** The class and the code of an error. Its message may quote a body or a secret. */
export function errorName(error: unknown): string {
  if (!(error instanceof Error)) return 'a value that is not an Error';
  const code = errorCode(error);
  const shownCode = typeof code === 'string' ? redactor.code(code) : undefined;
  const name = redactor.code(error.name) ?? 'an Error';
  return shownCode === undefined ? name : `${name} (${shownCode})`;
}
