import type {
  Activity,
  DeliveryActivity,
  EventActivity,
  RequestActivity,
} from '../sandbox/control/activity.ts';
import type { DeliveryAttempt } from '../sandbox/domain/records/delivery.ts';
import type { SandboxEvent } from '../sandbox/index.ts';
import type { Console, Style } from './console.ts';
import { visible } from './visible.ts';

const keyLength = 14;
const typeWidth = 34;
const maxResponseLength = 120;

function clockTime(at: number): string {
  return new Date(at).toISOString().slice(11, 19);
}

/** Keeps the start and the end, since long keys may differ in either. */
function shortened(key: string): string {
  return key.length <= keyLength ? key : `${key.slice(0, 6)}…${key.slice(-7)}`;
}

function styleOf(status: number | null | undefined): Style {
  if (typeof status !== 'number') return 'red';
  if (status < 300) return 'green';
  return status < 500 ? 'yellow' : 'red';
}

function requestLine({ request, duration }: RequestActivity, { paint }: Console): string {
  const { method, path, status, idempotencyKey, replayed, dropped } = request;
  const result = status === undefined ? '---' : String(status);
  return [
    paint('bold', method.padEnd(6)),
    visible(path).padEnd(typeWidth),
    paint(styleOf(status), result),
    paint('dim', `${Math.round(duration)} ms`.padStart(6)),
    ...(idempotencyKey === undefined ? [] : [paint('dim', `key ${visible(shortened(idempotencyKey))}`)]),
    ...(replayed ? [paint('cyan', 'replayed')] : []),
    ...(dropped ? [paint('red', 'dropped')] : []),
  ].join(' ');
}

function eventLine({ event }: EventActivity, { paint }: Console): string {
  return `${paint('magenta', 'event ')} ${visible(event.type).padEnd(typeWidth)} ${paint('dim', visible(event.id))}`;
}

/** Returns the start of the response, where a receiver says what it did, such as `duplicate`. */
function responseStart({ responseText }: DeliveryAttempt): string {
  const [line = ''] = responseText.trim().split('\n', 1);
  return line === '' ? '' : ` ${visible(line.slice(0, maxResponseLength))}`;
}

function deliveryLine({ delivery }: DeliveryActivity, { paint }: Console): string {
  const last = delivery.attempts.at(-1);
  const result = last?.status ?? last?.error ?? 'not sent';
  const again = delivery.attempts.length > 1 ? paint('dim', ` attempt ${delivery.attempts.length}`) : '';
  const outcome = paint(styleOf(last?.status), visible(String(result)));
  const response = last === undefined ? '' : paint('dim', responseStart(last));
  return `${paint('cyan', 'sent  ')} ${visible(delivery.type).padEnd(typeWidth)} ${outcome} ${visible(delivery.url)}${again}${response}`;
}

function describe(activity: Activity, console: Console): string {
  switch (activity.kind) {
    case 'request':
      return requestLine(activity, console);
    case 'event':
      return eventLine(activity, console);
    case 'delivery':
      return deliveryLine(activity, console);
  }
}

/** Formats one activity of the sandbox as a line. */
export function logLine(activity: Activity, console: Console): string {
  return `${console.paint('dim', clockTime(activity.at))} ${describe(activity, console)}`;
}

/** Returns an event as an activity. */
export function eventActivity(event: SandboxEvent): EventActivity {
  return { kind: 'event', at: Date.parse(event.created), event };
}

/** Prints one activity of the sandbox as a line. */
export function printActivity(activity: Activity, console: Console): void {
  console.print(activity, logLine(activity, console));
}
