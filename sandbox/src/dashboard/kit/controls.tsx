import type { ComponentChildren, TargetedInputEvent } from 'preact';
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { clearProblem, fail } from './shared-value.ts';

/** Runs an action, one call at a time, and shows its error. Returns whether it is running. */
function useAction(act: () => unknown): readonly [isRunning: boolean, run: () => Promise<void>] {
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

/** Keeps the keyboard on the page when the control with the focus is gone. */
function focusPage(): void {
  document.querySelector('main')?.focus({ preventScroll: true });
}

/** A button with a pending state. It is never disabled, so it keeps the focus; if it disappears, the page gets the focus. */
export function Button({ act, children, variant = 'plain', label }: ButtonProps) {
  const [isRunning, run] = useAction(act);
  const element = useRef<HTMLButtonElement>(null);
  // The cleanup of a layout effect runs while the button is still in the document.
  useLayoutEffect(
    () => () => {
      if (element.current === document.activeElement) focusPage();
    },
    [],
  );
  return (
    <button
      ref={element}
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

const shownFor = 1_500;

interface CopyProps {
  readonly text: string;
  /** The accessible name: `Copy the id`. */
  readonly label: string;
  /** The button's text. Default: a symbol. */
  readonly children?: string | undefined;
}

/** A button that copies a text. */
export function Copy({ text, label, children }: CopyProps) {
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), shownFor);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
  };
  return (
    <Button act={copy} variant="quiet" label={isCopied ? 'Copied' : label}>
      {isCopied ? (
        <Icon path="M3 8.5l3.5 3.5L13 4.5" />
      ) : (
        <Icon path="M5.5 5.5V3h7.5v7.5h-2.5M3 5.5h7.5V13H3z" />
      )}
      {children}
    </Button>
  );
}

function Icon({ path }: { readonly path: string }) {
  return (
    <svg class="symbol" viewBox="0 0 16 16" aria-hidden="true">
      <path d={path} />
    </svg>
  );
}

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
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus();
      else focusPage();
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

interface FieldProps {
  readonly label: string;
  readonly value: string;
  readonly onInput: (value: string) => void;
  readonly type?: 'text' | 'search' | undefined;
  /** The virtual keyboard. */
  readonly inputMode?: 'numeric' | undefined;
  readonly placeholder?: string | undefined;
  /** Help text below the field. */
  readonly hint?: string | undefined;
}

/** A text field with its label. */
export function Field({ label, value, onInput, type = 'text', inputMode, placeholder, hint }: FieldProps) {
  const id = useId();
  const input = {
    id,
    value,
    placeholder,
    inputMode,
    autocomplete: 'off',
    spellcheck: false,
    'aria-describedby': hint === undefined ? undefined : `${id}-hint`,
    onInput: ({ currentTarget }: TargetedInputEvent<HTMLInputElement>) => onInput(currentTarget.value),
  } as const;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {type === 'search' ? <input type="search" {...input} /> : <input type="text" {...input} />}
      {hint !== undefined && (
        <span class="hint" id={`${id}-hint`}>
          {hint}
        </span>
      )}
    </div>
  );
}

interface SelectProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly options: readonly (readonly [value: string, text: string])[];
}

/** A select with its label. */
export function Select({ label, value, onChange, options }: SelectProps) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select id={id} value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
        {options.map(([option, text]) => (
          <option key={option} value={option}>
            {text}
          </option>
        ))}
      </select>
    </div>
  );
}

interface FormProps {
  /** The accessible name. */
  readonly name: string;
  /** The label of the submit button. */
  readonly button: string;
  readonly act: () => unknown;
  readonly children: ComponentChildren;
  readonly variant?: 'plain' | 'primary' | 'danger' | undefined;
}

/** A form that runs an action. Enter submits it. */
export function Form({ name, button, act, children, variant = 'plain' }: FormProps) {
  const [isRunning, run] = useAction(act);
  return (
    <form
      class="form"
      aria-label={name}
      onSubmit={(event) => {
        event.preventDefault();
        void run();
      }}
    >
      {children}
      <button type="submit" class={`button ${variant}`} aria-disabled={isRunning}>
        {button}
      </button>
    </form>
  );
}
