import type { FaultHit } from '../../../api/faults/hit.ts';
import type { ListedFaults, WaitingFault } from '../../../control/pending-faults.ts';
import { remove } from '../kit/api.ts';
import { Button } from '../kit/button.tsx';
import { Loaded, Page, Part } from '../kit/page.tsx';
import { type Column, Table } from '../kit/table.tsx';
import { useLoad } from '../kit/use-load.ts';
import { DeliveryFaults } from './delivery-faults.tsx';
import { targetText } from './fault-target.ts';
import { faultName } from './presets.ts';
import { Switches, withdraw } from './switches.tsx';

const phases: Readonly<Record<FaultHit['phase'], string>> = {
  arrival: 'before execution',
  work: 'during execution',
  departure: 'after execution',
};

const waitingColumns: readonly Column<WaitingFault>[] = [
  { name: 'Fault', main: true, cell: ({ fault }) => faultName(fault) },
  { name: 'Conditions', cell: ({ fault }) => targetText(fault) },
  { name: 'Hits', end: true, cell: ({ hits }) => hits },
  {
    name: 'Action',
    cell: (one) => (
      <Button act={() => withdraw([one])} variant="quiet">
        Clear
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
      <Part title="Faults of the next webhook delivery">
        <DeliveryFaults pending={deliveries} />
      </Part>
      <Part title="Armed">
        {data.length === 0 ? (
          <p class="soft">No fault is armed.</p>
        ) : (
          <Table name="Armed faults" columns={waitingColumns} rows={data} keyOf={({ id }) => id} />
        )}
      </Part>
      <Part title="Hits">
        {history.length === 0 ? (
          <p class="soft">No fault has hit a request.</p>
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
