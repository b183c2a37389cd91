import { refuseType } from './refuse.ts';

/** A clock of the caller that gives milliseconds since 1970, or refuses what it gives instead. Default: `Date.now`. */
export function clockOf(path: string, now: () => unknown = Date.now): () => number {
  return () => {
    const time = now();
    if (typeof time === 'number' && Number.isFinite(time)) return time;
    return refuseType(`${path}()`, 'milliseconds since 1970', time);
  };
}
