import { getEventListeners } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';

/** What a process holds while nothing is under way. */
export interface Measurement {
  /** Timers as soon as the last call has ended. */
  readonly timers: number;
  /** In bytes, after everything that can be collected was collected. */
  readonly heap: number;
  /** Sockets, timers and requests that are open, by their kind. */
  readonly resources: Readonly<Record<string, number>>;
  /** Listeners of a signal that all calls share. */
  readonly listeners: number;
}

/** What the parent of the process does not hold open. */
const ownKinds = new Set([
  'TCPSocketWrap',
  'TLSWrap',
  'TCPConnectWrap',
  'GetAddrInfoReqWrap',
  'Timeout',
  'Immediate',
  'HTTPCLIENTREQUEST',
]);

function openResources(): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const kind of process.getActiveResourcesInfo()) {
    if (ownKinds.has(kind)) counts[kind] = (counts[kind] ?? 0) + 1;
  }
  return counts;
}

/** How many timers would keep the process alive. */
export function openTimers(): number {
  return openResources()['Timeout'] ?? 0;
}

/** Idle connections are closed by their own clock, so this many rounds of it pass before one counts as forgotten. */
const patience = 200;

/** Measures, once the connections that nobody uses any more are closed. */
export async function measure(shared: AbortSignal): Promise<Omit<Measurement, 'timers'>> {
  for (let round = 0; round < patience && Object.keys(openResources()).length > 0; round += 1) await wait(50);
  for (let round = 0; round < 5; round += 1) {
    global.gc?.();
    await wait(1);
  }
  const { heapUsed } = process.memoryUsage();
  return { heap: heapUsed, resources: openResources(), listeners: getEventListeners(shared, 'abort').length };
}
