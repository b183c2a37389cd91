import { useState } from 'preact/hooks';
import type { ListedSnapshot } from '../../../control/snapshot-list.ts';
import { post, remove } from '../kit/api.ts';
import { Button } from '../kit/button.tsx';
import { Confirm } from '../kit/dialog.tsx';
import { dateText } from '../kit/format.ts';
import { Field, Form } from '../kit/forms.tsx';
import { notify } from '../kit/notices.ts';
import { Loaded } from '../kit/page.tsx';
import { type Column, Table } from '../kit/table.tsx';
import { useLoad } from '../kit/use-load.ts';
import { Time } from '../kit/values.tsx';
import { Tool } from './tool.tsx';

function SnapshotTable({ snapshots }: { readonly snapshots: readonly ListedSnapshot[] }) {
  const [selected, select] = useState<ListedSnapshot | undefined>(undefined);
  const columns: readonly Column<ListedSnapshot>[] = [
    { name: 'Name', main: true, cell: ({ name }) => name },
    { name: 'Sandbox time', cell: ({ at }) => <Time at={at} /> },
    { name: 'Objects', end: true, cell: ({ objects }) => objects },
    {
      name: 'Actions',
      cell: (one) => (
        <span class="actions">
          <Button act={() => select(one)} variant="quiet" label={`Restore ${one.name}`}>
            Restore
          </Button>
          <Button act={() => remove(`snapshots/${one.id}`)} variant="quiet" label={`Delete ${one.name}`}>
            Delete
          </Button>
        </span>
      ),
    },
  ];
  const restore = async ({ id, name }: ListedSnapshot): Promise<void> => {
    await post(`snapshots/${id}/restore`);
    notify(`Restored ${name}.`);
  };
  return (
    <>
      {snapshots.length > 0 && (
        <Table name="Snapshots, newest first" columns={columns} rows={snapshots} keyOf={({ id }) => id} />
      )}
      {selected !== undefined && (
        <Confirm
          title={`Restore ${selected.name}`}
          expected={`The sandbox returns to its state of ${dateText(selected.at)}. Later changes are lost, unless you take a snapshot first.`}
          button="Restore"
          act={() => restore(selected)}
          close={() => select(undefined)}
        />
      )}
    </>
  );
}

/** Takes, restores and deletes snapshots. */
export function Snapshots() {
  const load = useLoad<{ data: readonly ListedSnapshot[] }>('snapshots');
  const [name, setName] = useState('');
  const take = async (): Promise<void> => {
    await post('snapshots', name.trim() === '' ? {} : { name });
    setName('');
  };
  return (
    <Tool title="Snapshots">
      <Form name="Take a snapshot" button="Take a snapshot" act={take}>
        <Field label="Name" value={name} onInput={setName} placeholder="before the refund" />
      </Form>
      <Loaded load={load}>{({ data }) => <SnapshotTable snapshots={data} />}</Loaded>
    </Tool>
  );
}
