import type { HonoRequest } from 'hono';
import type { Answer } from '../exchange.ts';
import type { Visit } from '../fault-queue.ts';
import type { Settings } from '../options.ts';
import type { State } from '../state.ts';
import { formReply } from './response.ts';
import { transact } from './transaction.ts';

/** The fields of a url-encoded or multipart body. Any other body has none, so it lacks the security key too. */
async function readForm(request: HonoRequest): Promise<FormData> {
  try {
    return await request.formData();
  } catch {
    return new FormData();
  }
}

/** Answers a form. There is no idempotency here: the same form twice is two transactions. */
export async function answerForm(
  state: State,
  { securityKey, formResponse }: Settings,
  request: HonoRequest,
  visit: Visit,
): Promise<Answer> {
  const form = await readForm(request);
  await visit.proceed();
  return {
    reply: formReply(
      state.unit(() => transact(state, securityKey, form)),
      formResponse,
    ),
    replayed: false,
  };
}
