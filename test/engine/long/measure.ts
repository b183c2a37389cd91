import { getEventListeners } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';

/** The resources of an idle process. */
export interface Measurement {
  /** Timers immediately after the last call. */
  readonly timers: number;
  /** In bytes, after a full garbage collection. */
  readonly heap: number;
  /** Open sockets, timers and requests, by kind. */
  readonly resources: Readonly<Record<string, number>>;
  /** Listeners on a signal that all calls share. */
  readonly listeners: number;
}

/** Resources that belong to the process itself. */
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

/** Idle connections close by their own timers, so this many rounds pass before one counts as leaked. */
const patience = 200;

/** Measures after unused connections are closed. */
export async function measure(shared: AbortSignal): Promise<Omit<Measurement, 'timers'>> {
  for (let round = 0; round < patience && Object.keys(openResources()).length > 0; round += 1) await wait(50);
  for (let round = 0; round < 5; round += 1) {
    global.gc?.();
    await wait(1);
  }
  const { heapUsed } = process.memoryUsage();
  return { heap: heapUsed, resources: openResources(), listeners: getEventListeners(shared, 'abort').length };
}
