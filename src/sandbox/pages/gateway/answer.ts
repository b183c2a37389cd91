import type { HonoRequest } from 'hono';
import { writeError } from '../../api/reply/error-shape.ts';
import { jsonReply, toResponse } from '../../api/reply/write-reply.ts';
import { Problem } from '../../domain/problem.ts';
import type { Reply } from '../../domain/records/reply.ts';
import { readField } from '../../transact/form-request.ts';
import { readForm } from '../../transact/read-form.ts';
import { FormRefusal } from '../../transact/refusal.ts';

/** The allowed senders of a form and readers of its response. */
export interface Audience {
  /** The key that each form must send as `apiKey`. */
  readonly publicKey: string;
  /** Whether pages of any origin may read the response. */
  readonly anyOrigin: boolean;
}

function checkKey(form: FormData, publicKey: string): void {
  if (readField(form, 'apiKey') === publicKey) return;
  throw new Problem(
    401,
    'INVALID_PUBLIC_KEY',
    "Expected apiKey to be the sandbox's public key. Pass sandbox.publicKey to the page.",
    'apiKey',
  );
}

/** Converts an error to the shape that the browser scripts read, whatever the configured error shape is. */
function refusalOf(error: unknown): Reply {
  if (error instanceof Problem) return writeError(error, 'nested');
  if (error instanceof FormRefusal) {
    return writeError(new Problem(422, 'NOT_PROCESSED', `${error.message}.`), 'nested');
  }
  return writeError(new Problem(500, 'SANDBOX_FAILURE', 'The sandbox failed.'), 'nested');
}

/** Answers a url-encoded form of the browser scripts with JSON. */
export async function answerForm(
  request: HonoRequest,
  { publicKey, anyOrigin }: Audience,
  work: (form: FormData) => unknown,
): Promise<Response> {
  const headers = { 'cache-control': 'no-store', ...(anyOrigin && { 'access-control-allow-origin': '*' }) };
  try {
    const form = await readForm(request);
    checkKey(form, publicKey);
    return toResponse(jsonReply(200, await work(form)), headers);
  } catch (error) {
    return toResponse(refusalOf(error), headers);
  }
}
