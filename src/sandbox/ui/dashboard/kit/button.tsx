import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { clearProblem, fail } from './notices.ts';

/** Runs an action, one call at a time, and shows its error. Returns whether it is running. */
export function useAction(act: () => unknown): readonly [isRunning: boolean, run: () => Promise<void>] {
  const [isRunning, setRunning] = useState(false);
  const run = async (): Promise<void> => {
    if (isRunning) return;
    setRunning(true);
    clearProblem();
    try {
      await act();
    } catch (error) {
      fail(error);
    } finally {
      setRunning(false);
    }
  };
  return [isRunning, run];
}

interface ButtonProps {
  /** The action. While its promise is pending, the button shows that and ignores clicks. */
  readonly act: () => unknown;
  readonly children: ComponentChildren;
  readonly variant?: 'plain' | 'primary' | 'danger' | 'quiet' | undefined;
  /** The accessible name of a button that shows a symbol. */
  readonly label?: string | undefined;
}

/** A button with a pending state. It is never disabled, so it keeps the focus. */
export function Button({ act, children, variant = 'plain', label }: ButtonProps) {
  const [isRunning, run] = useAction(act);
  return (
    <button
      type="button"
      class={`button ${variant}`}
      aria-label={label}
      aria-disabled={isRunning}
      onClick={() => void run()}
    >
      {children}
    </button>
  );
}
