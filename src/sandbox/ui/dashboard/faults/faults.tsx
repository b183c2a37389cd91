import type { FaultHit } from '../../../api/faults/hit.ts';
import type { ListedFaults, WaitingFault } from '../../../control/pending-faults.ts';
import { remove } from '../kit/api.ts';
import { Button } from '../kit/button.tsx';
import { Loaded, Page, Part } from '../kit/page.tsx';
import { type Column, Table } from '../kit/table.tsx';
import { useLoad } from '../kit/use-load.ts';
import { aimText } from './aim.ts';
import { DeliveryFaults } from './delivery-faults.tsx';
import { faultName } from './presets.ts';
import { Switches, withdraw } from './switches.tsx';

const phases: Readonly<Record<FaultHit['phase'], string>> = {
  arrival: 'before anything was done',
  work: 'while it was being done',
  departure: 'after it was done',
};

const waitingColumns: readonly Column<WaitingFault>[] = [
  { name: 'Fault', main: true, cell: ({ fault }) => faultName(fault) },
  { name: 'Aim', cell: ({ fault }) => aimText(fault) },
  { name: 'Hits', end: true, cell: ({ hits }) => hits },
  {
    name: 'Action',
    cell: (one) => (
      <Button act={() => withdraw([one])} look="quiet">
        Withdraw
      </Button>
    ),
  },
];

const hitColumns: readonly Column<FaultHit>[] = [
  { name: 'Fault', main: true, cell: ({ fault }) => faultName(fault) },
  {
    name: 'Request',
    cell: ({ method, path }) => (
      <code>
        {method} {path}
      </code>
    ),
  },
  { name: 'When', cell: ({ phase }) => phases[phase] },
];

function Lists({ data, deliveries, history }: ListedFaults) {
  return (
    <>
      <Switches waiting={data} />
      <Part title="The next delivery of a webhook is">
        <DeliveryFaults pending={deliveries} />
      </Part>
      <Part title="Waiting">
        {data.length === 0 ? (
          <p class="soft">No fault is armed.</p>
        ) : (
          <Table name="Waiting faults" columns={waitingColumns} rows={data} keyOf={({ id }) => id} />
        )}
      </Part>
      <Part title="Met">
        {history.length === 0 ? (
          <p class="soft">No request met a fault.</p>
        ) : (
          <Table
            name="Hits, newest first"
            columns={hitColumns}
            rows={history.toReversed()}
            keyOf={({ requestId, phase }) => `${requestId} ${phase}`}
          />
        )}
      </Part>
    </>
  );
}

/** Shows and arms the faults of requests and deliveries. */
export function Faults() {
  const load = useLoad<ListedFaults>('faults');
  return (
    <Page title="Faults" actions={<Button act={() => remove('faults')}>Clear all</Button>}>
      <Loaded load={load}>{(faults) => <Lists {...faults} />}</Loaded>
    </Page>
  );
}
