import { request } from './api.ts';
import { touch } from './changes.ts';
import { storeOf } from './shared-value.ts';

const retryPause = 1_000;

/** The state of the event stream. */
export const connection = storeOf<'connecting' | 'live' | 'lost'>('connecting');

/** Reads server-sent events. It ignores their data and reloads instead. An `EventSource` could not send the key. */
async function read(body: ReadableStream<Uint8Array>): Promise<void> {
  const reader = body.getReader();
  while (!(await reader.read()).done) touch();
}

async function followOnce(): Promise<void> {
  const { ok, status, body } = await request('events?follow');
  // Another sandbox took over the port; its page has another key.
  if (status === 401) location.reload();
  if (!ok || body === null) return;
  connection.set('live');
  await read(body);
}

/** Follows the event stream for as long as the page is open. */
export async function follow(): Promise<never> {
  for (;;) {
    // Reconnects after any error.
    await followOnce().catch(() => {});
    connection.set('lost');
    await new Promise((resolve) => setTimeout(resolve, retryPause));
  }
}
