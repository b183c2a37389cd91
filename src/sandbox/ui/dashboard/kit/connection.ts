import { request } from './api.ts';
import { touch } from './changes.ts';
import { storeOf } from './shared-value.ts';

const pause = 1_000;

/** Whether the dashboard hears of what the sandbox does. */
export const connection = storeOf<'connecting' | 'live' | 'lost'>('connecting');

/** Reads server-sent events. Their data is ignored, since what is shown is loaded again. An `EventSource` could not send the key. */
async function read(body: ReadableStream<Uint8Array>): Promise<void> {
  const reader = body.getReader();
  while (!(await reader.read()).done) touch();
}

async function followOnce(): Promise<void> {
  const { ok, status, body } = await request('events?follow');
  // Another sandbox listens in its place, whose page has another key.
  if (status === 401) location.reload();
  if (!ok || body === null) return;
  connection.set('live');
  await read(body);
}

/** Follows the sandbox for as long as the page is open. */
export async function follow(): Promise<never> {
  for (;;) {
    // Whatever ends the connection, it is tried again.
    await followOnce().catch(() => {});
    connection.set('lost');
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}
