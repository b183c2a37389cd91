import { useState } from 'preact/hooks';
import type { ListedCommand } from '../../control/command-routes.ts';
import { perform } from './api.ts';
import { Button, Confirm, Field, Form, Select } from './controls.tsx';
import { Card } from './page.tsx';
import { type Link, notify } from './shared-value.ts';
import { useLoad } from './use-load.ts';
import { addressOf, heading } from './values.tsx';

/** Performs a command and shows its message, with a link to what it made. A new secret can be copied, only there. */
async function performAndTell(name: string, args: object, links: readonly Link[] = []): Promise<void> {
  const { result, message } = await perform(name, args);
  const { id, secret } = Object(result);
  const href = addressOf(String(id));
  notify(message, href === undefined ? links : [{ href, text: id }], secret);
}

interface CommandButtonProps {
  /** The name of the command. */
  readonly name: string;
  readonly args?: object;
  /** The expected effect, to confirm first. Default: it is performed at once. */
  readonly expected?: string;
  readonly variant?: 'danger' | undefined;
  /** The accessible name, if the text alone is not enough. */
  readonly label?: string;
  readonly children: string;
}

/** A button that performs a command of the sandbox. */
export function CommandButton({ name, args = {}, expected, variant, label, children }: CommandButtonProps) {
  const [isAsking, setAsking] = useState(false);
  const act = () => performAndTell(name, args);
  return (
    <>
      <Button act={expected === undefined ? act : () => setAsking(true)} variant={variant} label={label}>
        {children}
      </Button>
      {isAsking && expected !== undefined && (
        <Confirm
          title={children}
          expected={expected}
          button={children}
          variant={variant}
          act={act}
          close={() => setAsking(false)}
        />
      )}
    </>
  );
}

type ListedArgument = ListedCommand['args'][number];

/** What is typed or chosen, by argument. */
type Texts = Readonly<Record<string, string>>;

/** Whether a form has a field for an argument. Flags and fields of objects are for code and the shell. */
function isDrawn({ kind }: ListedArgument): boolean {
  return kind === 'text' || kind === 'count' || kind === 'texts';
}

/** Returns what an argument has: its text, or the first of its choices. */
function textOf({ name, choices }: ListedArgument, texts: Texts): string {
  return texts[name] ?? choices?.[0] ?? '';
}

/** Returns the value of an argument. The sandbox refuses a text that is not a number. */
function typedValue({ kind }: ListedArgument, text: string): unknown {
  if (kind === 'texts') return text.split(/[\s,]+/).filter(Boolean);
  return kind === 'count' && !Number.isNaN(Number(text)) ? Number(text) : text;
}

interface ArgumentFieldProps {
  readonly argument: ListedArgument;
  readonly value: string;
  readonly change: (value: string) => void;
}

function ArgumentField({ argument: { name, help, kind, choices }, value, change }: ArgumentFieldProps) {
  const label = heading(name);
  if (choices !== undefined) {
    const options = choices.map((word) => [word, word] as const);
    return <Select label={label} value={value} onChange={change} options={options} />;
  }
  const inputMode = kind === 'count' ? 'numeric' : undefined;
  return <Field label={label} value={value} onInput={change} inputMode={inputMode} hint={help} />;
}

interface CommandFormProps {
  /** The name of the command. */
  readonly name: string;
  /** The heading. */
  readonly title: string;
  /** The label of the submit button. */
  readonly button: string;
  /** Links to what it made, if its result has no id. */
  readonly links?: readonly Link[];
}

/** A card with a form that performs a command of the sandbox. It has a field for each argument. */
export function CommandForm({ name, title, button, links }: CommandFormProps) {
  const { data } = useLoad<{ data: readonly ListedCommand[] }>('commands');
  const [texts, setTexts] = useState<Texts>({});
  const command = data?.data.find((one) => one.name === name);
  if (command === undefined) return null;
  const drawn = command.args.filter(isDrawn);
  const act = async (): Promise<void> => {
    const given = drawn.map((one) => [one, textOf(one, texts).trim()] as const);
    const args = given.flatMap(([one, text]) => (text === '' ? [] : [[one.name, typedValue(one, text)]]));
    await performAndTell(name, Object.fromEntries(args), links);
    // A choice stays, for the next time.
    const choices = given.filter(([one]) => one.choices !== undefined);
    setTexts(Object.fromEntries(choices.map(([one, text]) => [one.name, text])));
  };
  return (
    <Card title={title}>
      <p class="soft">{command.summary}</p>
      <Form name={title} button={button} act={act}>
        <div class="arguments">
          {drawn.map((argument) => (
            <ArgumentField
              key={argument.name}
              argument={argument}
              value={textOf(argument, texts)}
              change={(value) => setTexts({ ...texts, [argument.name]: value })}
            />
          ))}
        </div>
      </Form>
    </Card>
  );
}
