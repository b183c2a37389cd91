import { Field, Select } from '../kit/forms.tsx';
import { always, operations } from './fault-target.ts';

/** The typed conditions of a fault. Empty texts stand for the defaults. */
export interface FaultTarget {
  readonly operation: string;
  readonly times: string;
  readonly skip: string;
  readonly probability: string;
}

/** Conditions that match any request, until the fault is cleared. */
export const anyRequest: FaultTarget = { operation: '', times: '', skip: '', probability: '' };

/** Returns the condition fields of a fault. The sandbox refuses a text that is not a number. */
export function fieldsOfTarget({ operation, ...numbers }: FaultTarget): Readonly<Record<string, unknown>> {
  const typed = Object.entries(numbers).filter(([, text]) => text.trim() !== '');
  const read = typed.map(([name, text]) => [name, Number.isNaN(Number(text)) ? text : Number(text)]);
  return { times: always, ...Object.fromEntries(read), ...(operation !== '' && { operation }) };
}

interface TargetFieldsProps {
  readonly target: FaultTarget;
  readonly change: (target: FaultTarget) => void;
}

/** The input fields of the conditions. */
export function TargetFields({ target, change }: TargetFieldsProps) {
  const field = (name: keyof FaultTarget) => ({
    value: target[name],
    onInput: (value: string) => change({ ...target, [name]: value }),
  });
  return (
    <div class="form">
      <Select
        label="Hits"
        value={target.operation}
        onChange={(operation) => change({ ...target, operation })}
        options={operations}
      />
      <Field label="Times" {...field('times')} inputMode="numeric" placeholder="until cleared" />
      <Field label="Requests to skip" {...field('skip')} inputMode="numeric" placeholder="0" />
      <Field label="Probability, 0 to 1" {...field('probability')} placeholder="1" />
    </div>
  );
}
