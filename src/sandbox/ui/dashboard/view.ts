import type { Activity } from '../../control/activity.ts';

/** One section of the dashboard. */
export interface View {
  /** What is shown. */
  readonly element: HTMLElement;
  /** Shows what an address means, anew. */
  show(path: readonly string[]): Promise<void>;
  /** Is told of what the sandbox does while it is shown. */
  hear(activity: Activity): void;
}

/** Does something once in each frame, however often it is asked to: a busy sandbox must not make the page stutter. */
export function oncePerFrame(work: () => void): () => void {
  let isPlanned = false;
  return () => {
    if (isPlanned) return;
    isPlanned = true;
    requestAnimationFrame(() => {
      isPlanned = false;
      work();
    });
  };
}

/** Does something that takes its time, one at a time: asked meanwhile, it is done once more at the end. */
export function oneAtATime(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  let isWanted = false;
  const run = async (): Promise<void> => {
    try {
      do {
        isWanted = false;
        await work();
      } while (isWanted);
    } finally {
      running = undefined;
    }
  };
  return () => {
    isWanted = true;
    running ??= run();
    return running;
  };
}
