/** Reaches inside: the types of the control API's stories are not public. */

import { PaymentsClient, type PaymentsClientOptions } from 'payments-client';
import { createSandbox, type Sandbox, type SandboxOptions } from 'payments-client-sandbox';
import { onTestFinished } from 'vitest';
import type { Entry } from '../../src/stories/entry.ts';
import type { StorySummary } from '../../src/stories/story.ts';
import type { Story } from '../../src/stories/whole-story.ts';

const startsAt = Date.UTC(2026, 0, 15);

/** A page of the control API. */
interface Page<T> {
  readonly data: readonly T[];
  readonly has_more: boolean;
}

/** Starts a listening sandbox, a client without retries, and readers of the control API. */
export async function record(options: SandboxOptions = {}, client: Partial<PaymentsClientOptions> = {}) {
  const sandbox = await createSandbox({ startsAt, ...options }).listen();
  onTestFinished(() => sandbox.close());
  return { sandbox, payments: clientOf(sandbox, client), ...dashboardOf(sandbox) };
}

/** Creates a client of a sandbox. */
function clientOf({ url, secretKey, securityKey }: Sandbox, options: Partial<PaymentsClientOptions> = {}) {
  return new PaymentsClient({ baseUrl: url, secretKey, securityKey, maxRetries: 0, ...options });
}

/** Returns readers of the control API. */
export function dashboardOf({ url, secretKey }: Sandbox) {
  const call = async (path: string, body?: object): Promise<{ status: number; body: unknown }> => {
    const headers = { authorization: `Bearer ${secretKey}`, 'content-type': 'application/json' };
    const init = body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) };
    const response = await fetch(`${url}/_sandbox/${path}`, init);
    return { status: response.status, body: await response.json() };
  };
  const read = async <T>(path: string): Promise<T> => (await call(path)).body as T;
  return {
    call,
    stories: async (query = '') => (await read<Page<StorySummary>>(`stories?${query}`)).data,
    story: (id: string) => read<Story>(`stories/${encodeURIComponent(id)}`),
    entries: async (query = 'limit=500') => (await read<Page<Entry>>(`entries?${query}`)).data,
  };
}

/** Waits for a call that must fail. */
export async function fails(call: Promise<unknown>): Promise<void> {
  await call.then(
    () => {
      throw new Error('Expected the call to fail.');
    },
    () => undefined,
  );
}
