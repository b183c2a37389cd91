import type { TransactionResult } from 'payments-client';
import type { FormEncoding } from '../../base/interface-types.ts';
import { decodeForm, isAuthenticationFailure, toResult } from '../../sdk.ts';
import { asAssumed, differs, type Gap, notSeen } from '../finding.ts';
import { type Answer, okOf, type Reading } from '../question.ts';

/** Longer than any answer of the form endpoint, in characters. Each field takes far more memory than its text. */
const maxLength = 64 * 1024;

/** Returns what the form endpoint answers; `undefined` for an unreadable answer. */
export function resultOf(answer: Answer | undefined): TransactionResult | undefined {
  const text = okOf(answer)?.text;
  if (text === undefined || text.length > maxLength) return undefined;
  const decoded = decodeForm(text);
  return 'fields' in decoded ? toResult(decoded.fields) : undefined;
}

function* answerTo(securityKey: 'right' | 'wrong', encoding: FormEncoding): Reading<Answer | undefined> {
  return yield { kind: 'form', encoding, securityKey };
}

/** Returns the text of an answer without its varying numbers; `undefined` for an unreadable answer. */
function saidIn(answer: Answer | undefined): string | undefined {
  const result = resultOf(answer);
  return result && `${result.response} ${result.responsetext.replace(/\d+/g, '')}`;
}

/** Returns whether the endpoint finds the right key in a form: then it answers differently than to a wrong key. */
function* understands(encoding: FormEncoding): Reading<boolean | undefined> {
  const right = saidIn(yield* answerTo('right', encoding));
  const wrong = saidIn(yield* answerTo('wrong', encoding));
  return right === undefined || wrong === undefined ? undefined : right !== wrong;
}

/** Returns the encoding that the endpoint understands; `undefined` if none is confirmed. */
export function* encodingUnderstood(): Reading<FormEncoding | undefined> {
  for (const encoding of ['urlencoded', 'multipart'] as const) {
    if ((yield* understands(encoding)) === true) return encoding;
  }
  return undefined;
}

/** The encoding of form requests. */
export const formEncoding: Gap = {
  id: 'G62',
  title: 'encoding of a form',
  needs: '--form',
  *read() {
    const encoding = yield* encodingUnderstood();
    if (encoding === undefined) return notSeen();
    return (encoding === 'urlencoded' ? asAssumed : differs)(encoding, { formEncoding: encoding });
  },
};

/** The encoding of form responses. */
export const formResponse: Gap = {
  id: 'G29',
  title: 'encoding of the form’s response',
  needs: '--form',
  *read() {
    const answer = yield* answerTo('right', 'urlencoded');
    if (answer === undefined || saidIn(answer) === undefined) return notSeen();
    if (answer.json !== undefined) return asAssumed('JSON', { formResponse: 'json' });
    if (/[ :[\]]/.test(answer.text)) return asAssumed('pairs, not escaped', { formResponse: 'unescaped' });
    return /%[\dA-F]{2}|\+/i.test(answer.text)
      ? asAssumed('pairs, percent-encoded', { formResponse: 'escaped' })
      : notSeen();
  },
};

/** The form endpoint's answer to a wrong key. */
export const wrongSecurityKey: Gap = {
  id: 'G80',
  title: 'answer to a wrong security_key',
  needs: '--form',
  *read() {
    const encoding = yield* encodingUnderstood();
    if (encoding === undefined) return notSeen();
    const result = resultOf(yield* answerTo('wrong', encoding));
    if (result === undefined || result.approved) return notSeen();
    return isAuthenticationFailure(result)
      ? asAssumed()
      : differs(`response ${result.response} with a text that the client reads as a decline`);
  },
};
