import { unverified } from '../verification-error.ts';
import { failed, type Handled, type VerifiedBody } from './handled.ts';
import type { WebhookJob } from './job.ts';
import type { ActiveOptions } from './options.ts';

const utf8 = /* @__PURE__ */ new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** @throws WebhookVerificationError for bytes that JSON cannot hold unchanged. */
function textOf({ rawBody }: VerifiedBody): string {
  if (typeof rawBody === 'string') return rawBody;
  try {
    return utf8.decode(rawBody);
  } catch {
    throw unverified(
      'invalid_payload',
      'expected a body in UTF-8, got other bytes. Nothing was queued: the service should deliver it again.',
    );
  }
}

/** Hands a delivery to the queue. Reads nothing in it: only the worker does, so that its version decides. */
export async function handOff<Client>(
  options: ActiveOptions<Client>,
  enqueue: (job: WebhookJob) => unknown,
  delivery: VerifiedBody,
): Promise<Handled> {
  const { scope } = delivery;
  try {
    const job = { body: textOf(delivery), receivedAt: new Date().toISOString() };
    await enqueue(scope === undefined ? job : { ...job, scope });
    return { outcome: 'enqueued' };
  } catch (error) {
    return failed(options, 'queue', error, undefined);
  }
}
