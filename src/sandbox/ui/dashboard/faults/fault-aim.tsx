import { Field, Select } from '../kit/forms.tsx';
import { always, operations } from './aim.ts';

/** The typed conditions of a fault. Empty texts stand for the defaults. */
export interface Aim {
  readonly operation: string;
  readonly times: string;
  readonly skip: string;
  readonly probability: string;
}

/** Conditions that match any request, until the fault is cleared. */
export const anyRequest: Aim = { operation: '', times: '', skip: '', probability: '' };

/** Returns the condition fields of a fault. The sandbox refuses a text that is not a number. */
export function fieldsOfAim({ operation, ...numbers }: Aim): Readonly<Record<string, unknown>> {
  const typed = Object.entries(numbers).filter(([, text]) => text.trim() !== '');
  const read = typed.map(([name, text]) => [name, Number.isNaN(Number(text)) ? text : Number(text)]);
  return { times: always, ...Object.fromEntries(read), ...(operation !== '' && { operation }) };
}

interface AimFieldsProps {
  readonly aim: Aim;
  readonly change: (aim: Aim) => void;
}

/** The input fields of the conditions. */
export function AimFields({ aim, change }: AimFieldsProps) {
  const field = (name: keyof Aim) => ({
    value: aim[name],
    onInput: (value: string) => change({ ...aim, [name]: value }),
  });
  return (
    <div class="form">
      <Select
        label="Hits"
        value={aim.operation}
        onChange={(operation) => change({ ...aim, operation })}
        options={operations}
      />
      <Field label="Times" {...field('times')} inputMode="numeric" placeholder="until cleared" />
      <Field label="Requests to skip" {...field('skip')} inputMode="numeric" placeholder="0" />
      <Field label="Probability, 0 to 1" {...field('probability')} placeholder="1" />
    </div>
  );
}
