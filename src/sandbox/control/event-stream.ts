import type { Activity } from './activity.ts';

const encoder = new TextEncoder();

/** One message of a stream of server-sent events. JSON has no line break, so one line of data is enough. */
function message(activity: Activity): string {
  const id = activity.kind === 'event' ? `id: ${activity.event.id}\n` : '';
  return `event: ${activity.kind}\n${id}data: ${JSON.stringify(activity)}\n\n`;
}

/** A response that tells of what is done from now on, until the caller hangs up. */
export function eventStream(
  watch: (listener: (activity: Activity) => void) => () => void,
  matches: (activity: Activity) => boolean,
): Response {
  let stop = (): void => {};
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      // The comment sends the headers on their way, so that the caller knows that nothing is missed from here on.
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
