import { perSecond, type Row, type RowGroup, times } from '../row.ts';
import { type Race, runRaces } from '../webhook-races.ts';

const bounds: Readonly<Record<Race['peer'], number>> = {
  'stripe constructEvent': 1,
  'stripe constructEventAsync': 1,
  'standardwebhooks verify': 2,
};

function toRow({ peer, event, bytes, ours, theirs, ratio, spread }: Race): Row {
  return {
    what: `webhook of a ${event} (${bytes} bytes) verified, parsed and typed, events/s`,
    target: `≥ ${bounds[peer]} × ${peer}`,
    figure: times(ratio),
    isMet: ratio >= bounds[peer],
    spread,
    measured: [
      ['payments-client', perSecond(ours)],
      [peer, perSecond(theirs)],
    ],
  };
}

export const webhooks: RowGroup = {
  name: 'webhooks',
  measure: async () => (await runRaces()).map(toRow),
};
