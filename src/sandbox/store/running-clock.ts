/** How often the clock advances, in milliseconds. */
const interval = 200;

/** A clock that can be advanced. */
interface Clock {
  now(): number;
  advance(duration: number): Promise<void>;
}

/** Unrefs a timer, since Node's timers keep a process alive otherwise. */
function unrefTimer(timer: unknown): void {
  if (typeof timer !== 'object' || timer === null) return;
  const unref: unknown = Reflect.get(timer, 'unref');
  if (typeof unref === 'function') unref.call(timer);
}

/**
 * Advances a clock with real time, so that scheduled work runs by itself. A clock that was advanced by hand keeps its
 * lead. One that is behind, because its sandbox did not run, catches up if `catchesUp` is set.
 *
 * @returns A function that stops it. A second call has no effect.
 */
export function keepRunning(clock: Clock, catchesUp: boolean): () => void {
  let seen = Date.now();
  let busy = false;
  const move = async (): Promise<void> => {
    if (busy) return;
    const present = Date.now();
    const behind = catchesUp ? present - clock.now() : 0;
    const passed = Math.max(0, present - seen, behind);
    seen = present;
    busy = true;
    try {
      await clock.advance(passed);
    } finally {
      busy = false;
    }
  };
  const tick = () => void move().catch(() => undefined);
  const timer = setInterval(tick, interval);
  unrefTimer(timer);
  return () => clearInterval(timer);
}
