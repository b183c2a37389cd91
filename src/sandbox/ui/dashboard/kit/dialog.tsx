import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Button } from './button.tsx';

interface DialogProps {
  readonly title: string;
  /** Closes the dialog; Escape calls it too. */
  readonly close: () => void;
  readonly children: ComponentChildren;
  /** The vertical position. Default: `middle`. */
  readonly place?: 'middle' | 'top' | undefined;
}

/** A modal dialog. The browser traps the focus, and returns it on close. */
export function Dialog({ title, close, children, place = 'middle' }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const dialog = element.current;
    const opener = document.activeElement;
    dialog?.showModal();
    return () => {
      dialog?.close();
      // The browser returns the focus only if the dialog is still in the document.
      if (opener instanceof HTMLElement) opener.focus();
    };
  }, []);
  return (
    <dialog
      ref={element}
      class={place}
      aria-label={title}
      onCancel={(event) => {
        event.preventDefault();
        close();
      }}
    >
      {children}
    </dialog>
  );
}

interface ConfirmProps {
  readonly title: string;
  /** The expected effect. */
  readonly expected: string;
  /** The label of the confirming button. */
  readonly button: string;
  readonly act: () => unknown;
  readonly close: () => void;
  readonly variant?: 'primary' | 'danger' | undefined;
}

/** Asks for a confirmation, and states the expected effect. */
export function Confirm({ title, expected, button, act, close, variant = 'primary' }: ConfirmProps) {
  const run = async (): Promise<void> => {
    try {
      await act();
    } finally {
      close();
    }
  };
  return (
    <Dialog title={title} close={close}>
      <h3>{title}</h3>
      <p>{expected}</p>
      <div class="actions">
        <Button act={run} variant={variant}>
          {button}
        </Button>
        <Button act={close}>Cancel</Button>
      </div>
    </Dialog>
  );
}
