import { useState } from 'preact/hooks';
import { post } from '../kit/api.ts';
import { Field, Form, Select } from '../kit/forms.tsx';
import { operations } from './aim.ts';
import { presets } from './presets.ts';

const choices = presets.map(({ label }) => [label, label] as const);

/** Returns a number that was typed; nothing where the field is empty. The sandbox refuses a text that is no number. */
function numberOf(name: string, typed: string): Readonly<Record<string, unknown>> {
  if (typed.trim() === '') return {};
  const number = Number(typed);
  return { [name]: Number.isNaN(number) ? typed : number };
}

/** A form that arms one more fault, also where one of its kind waits already. */
export function ArmForm() {
  const [label, setLabel] = useState(choices[0]?.[0] ?? '');
  const [operation, setOperation] = useState('');
  const [times, setTimes] = useState('');
  const [skip, setSkip] = useState('');
  const [probability, setProbability] = useState('');
  const arm = () =>
    post('faults', {
      ...presets.find((preset) => preset.label === label)?.fault,
      ...(operation !== '' && { operation }),
      ...numberOf('times', times),
      ...numberOf('skip', skip),
      ...numberOf('probability', probability),
    });
  return (
    <Form name="Arm a fault" button="Arm" act={arm} look="primary">
      <Select label="Fault" value={label} onChange={setLabel} options={choices} />
      <Select label="Operation" value={operation} onChange={setOperation} options={operations} />
      <Field label="Times" value={times} onInput={setTimes} inputMode="numeric" placeholder="1" />
      <Field
        label="Requests to let pass"
        value={skip}
        onInput={setSkip}
        inputMode="numeric"
        placeholder="0"
      />
      <Field label="Probability, 0 to 1" value={probability} onInput={setProbability} placeholder="1" />
    </Form>
  );
}
