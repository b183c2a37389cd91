/** How often the time is moved on, in milliseconds. */
const interval = 200;

/** A clock that can be moved on. */
interface Clock {
  now(): number;
  advance(duration: number): Promise<void>;
}

/** Timers of Node keep a process alive unless they are told not to. */
function letGo(timer: unknown): void {
  if (typeof timer !== 'object' || timer === null) return;
  const unref: unknown = Reflect.get(timer, 'unref');
  if (typeof unref === 'function') unref.call(timer);
}

/**
 * Moves a clock on as real time passes, so that what falls due happens by itself. One that is ahead, because it was
 * moved on by hand, stays as far ahead; one that is behind, because its sandbox was not running, catches up if it is to.
 *
 * @returns Ends it. Without effect the second time.
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
  letGo(timer);
  return () => clearInterval(timer);
}
