import type { Activity } from './activity.ts';

const encoder = new TextEncoder();

/** Formats a server-sent event. JSON has no line breaks, so it fits one `data` line. */
function message(activity: Activity): string {
  const id = activity.kind === 'event' ? `id: ${activity.event.id}\n` : '';
  return `event: ${activity.kind}\n${id}data: ${JSON.stringify(activity)}\n\n`;
}

/** Returns a response that streams activities until the caller disconnects. */
export function eventStream(
  watch: (listener: (activity: Activity) => void) => () => void,
  matches: (activity: Activity) => boolean,
): Response {
  let stop = (): void => {};
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      // This comment flushes the headers, so that the caller knows that it misses nothing from now on.
      controller.enqueue(encoder.encode(': connected\n\n'));
      stop = watch((activity) => {
        if (matches(activity)) controller.enqueue(encoder.encode(message(activity)));
      });
    },
    cancel() {
      stop();
    },
  });
  const headers = { 'content-type': 'text/event-stream', 'cache-control': 'no-store' };
  return new Response(body, { headers });
}
