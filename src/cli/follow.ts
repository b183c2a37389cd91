import type { Activity } from '../sandbox/control/activity.ts';
import type { Console } from './console.ts';
import { type ControlOptions, controlClient } from './control-client.ts';
import { dataOf } from './lines.ts';
import { printActivity } from './live-log.ts';

/** Prints the activity of the sandbox from now on, until it stops. */
export async function follow(
  given: ControlOptions,
  query: URLSearchParams,
  matches: (activity: Activity) => boolean,
  console: Console,
): Promise<void> {
  query.set('follow', '');
  const response = await controlClient(given).open(`events?${query}`, { accept: 'text/event-stream' });
  console.tell('Following. Press Ctrl+C to stop.');
  try {
    for await (const data of dataOf(response)) {
      // Not validated: the control API is in the same package, and its tests check the form.
      const activity = data as Activity;
      if (matches(activity)) printActivity(activity, console);
    }
  } catch (error) {
    // A stopping sandbox closes the stream.
    if (!(error instanceof TypeError)) throw error;
  }
  console.tell('The sandbox stopped.');
}
