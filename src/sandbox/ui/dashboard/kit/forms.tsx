import type { ComponentChildren, TargetedInputEvent } from 'preact';
import { useId } from 'preact/hooks';
import { useAction } from './button.tsx';

interface FieldProps {
  readonly label: string;
  readonly value: string;
  readonly onInput: (value: string) => void;
  readonly type?: 'text' | 'search' | undefined;
  /** The virtual keyboard. */
  readonly inputMode?: 'numeric' | 'url' | undefined;
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
