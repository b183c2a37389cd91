import type { SandboxKind } from '../domain/records/records.ts';
import { objectFields, optional, text, textAs } from './argument.ts';
import { Command } from './command.ts';
import { withTextsOfKind } from './texts-of-fields.ts';

interface NewObject {
  readonly kind: SandboxKind;
  readonly fields?: object | undefined;
}

interface ChangedObject {
  readonly kind: SandboxKind;
  readonly id: string;
  readonly fields: object;
}

const kindHelp = 'The kind of the object, such as customer or invoice.';

export const addCommand = new Command({
  name: 'add',
  summary: 'Adds an object of any kind.',
  more: 'Other fields get defaults. Nothing else changes: an object that it refers to may be missing.',
  examples: ['add product --set name=Tea', 'add invoice --set customer=cus_0123456789abcdef'],
  args: { kind: textAs<SandboxKind>(kindHelp), fields: optional(objectFields()) },
  read: withTextsOfKind,
  run: ({ editor }, { kind, fields: given }: NewObject) => editor.add(kind, given),
  tell: ({ id }, { kind }) => `Added the ${kind} ${id}.`,
});

export const updateCommand = new Command({
  name: 'update',
  summary: 'Updates fields of an object in any state, for example to let a refund fail.',
  examples: ['update refund rf_0123456789abcdef --set status=succeeded'],
  args: {
    kind: textAs<SandboxKind>(kindHelp),
    id: text('The id of the object.'),
    fields: objectFields(),
  },
  read: withTextsOfKind,
  run: ({ editor }, { kind, id, fields: given }: ChangedObject) => editor.update(kind, id, given),
  tell: ({ id }, { kind }) => `Updated the ${kind} ${id}.`,
});
