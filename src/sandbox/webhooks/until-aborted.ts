import { bounded } from '../../base/bounded.ts';

/** Waits for work until the signal aborts, and throws its reason then. The work itself continues, as on a server. */
export async function untilAborted<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  try {
    return await bounded(work(), signal);
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  }
}
