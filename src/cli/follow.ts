import type { Activity } from '../sandbox/index.ts';
import { type Console, wantsJson } from './console.ts';
import { type ControlOptions, controlClient } from './control-client.ts';
import { dataOf } from './lines.ts';
import { logLine } from './live-log.ts';
import { json } from './visible.ts';

interface Given extends ControlOptions {
  readonly json?: boolean;
}

/** Prints one thing that the sandbox did, in one line. */
export function printActivity(activity: Activity, given: Given, console: Console): void {
  console.print(wantsJson(given, console) ? json(activity) : logLine(activity, console));
}

/** Prints what the sandbox does from now on, until it ends. */
export async function follow(
  given: Given,
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
      if (matches(activity)) printActivity(activity, given, console);
    }
  } catch (error) {
    // A sandbox that ends breaks the stream off.
    if (!(error instanceof TypeError)) throw error;
  }
}
