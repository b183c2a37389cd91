import type { Activity } from '../sandbox/index.ts';
import type { Console } from './console.ts';
import { type ControlOptions, controlClient } from './control-client.ts';
import { dataOf } from './lines.ts';
import { printActivity } from './live-log.ts';

/** Prints what the sandbox does from now on, until it ends. */
export async function follow(
  given: ControlOptions,
  query: URLSearchParams,
  matches: (activity: Activity) => boolean,
  console: Console,
): Promise<void> {
  query.set('follow', '');
  const response = await controlClient(given).open(`events?${query}`, { accept: 'text/event-stream' });
  console.tell('Following. Press Ctrl+C to end.');
  try {
    for await (const data of dataOf(response)) {
      // The control API of the same package answers; its form is tested with it.
      const activity = data as Activity;
      if (matches(activity)) printActivity(activity, console);
    }
  } catch (error) {
    // A sandbox that ends breaks the stream off.
    if (!(error instanceof TypeError)) throw error;
  }
  console.tell('The sandbox has ended.');
}
