import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Button } from './button.tsx';

interface DialogProps {
  readonly title: string;
  /** Closes it: called for Escape too. */
  readonly close: () => void;
  readonly children: ComponentChildren;
  /** Its place. Default: `middle`. */
  readonly place?: 'middle' | 'top' | undefined;
}

/** A modal dialog. The browser keeps the focus inside, and it returns to where it was. */
export function Dialog({ title, close, children, place = 'middle' }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const dialog = element.current;
    const opener = document.activeElement;
    dialog?.showModal();
    return () => {
      dialog?.close();
      // The browser returns the focus only where the dialog is still on the page.
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
  /** What is expected to happen. */
  readonly expected: string;
  /** The text of the button that does it. */
  readonly button: string;
  readonly act: () => unknown;
  readonly close: () => void;
  readonly look?: 'primary' | 'danger' | undefined;
}

/** Says what is expected to happen before something acts. */
export function Confirm({ title, expected, button, act, close, look = 'primary' }: ConfirmProps) {
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
        <Button act={run} look={look}>
          {button}
        </Button>
        <Button act={close}>Cancel</Button>
      </div>
    </Dialog>
  );
}
