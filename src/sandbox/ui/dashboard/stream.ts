import type { Activity } from '../../control/activity.ts';
import { request } from './api.ts';

/** Who is told of what the sandbox does. */
export interface Listener {
  /** Something was done. */
  hear(activity: Activity): void;
  /** The connection stands, again or for the first time: what was missed is to be loaded. */
  connected(): void;
  /** The connection is gone; it is tried again. */
  disconnected(): void;
}

const pause = 1_000;

/** Reads server-sent events. Each has its data in one line. An `EventSource` could not send the key. */
async function read(body: ReadableStream<Uint8Array>, listener: Listener): Promise<void> {
  let text = '';
  for await (const chunk of chunksOf(body)) {
    const messages = (text + chunk).split('\n\n');
    text = messages.pop() ?? '';
    for (const message of messages) {
      const [, data] = /^data: (.*)$/m.exec(message) ?? [];
      if (data !== undefined) listener.hear(JSON.parse(data));
    }
  }
}

async function* chunksOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  const reader = body.getReader();
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    yield decoder.decode(value, { stream: true });
  }
}

async function once(listener: Listener): Promise<void> {
  const { ok, status, body } = await request('events?follow');
  // Another sandbox listens in its place, whose page has another key.
  if (status === 401) location.reload();
  if (!ok || body === null) return;
  listener.connected();
  await read(body, listener);
}

/** Follows the sandbox for as long as the page is there. */
export async function listen(listener: Listener): Promise<never> {
  for (;;) {
    // However it ends, it is tried again.
    await once(listener).catch(() => {});
    listener.disconnected();
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}
