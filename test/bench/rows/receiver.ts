import { type ReceiverRace, runReceiverRaces } from '../receiver-races.ts';
import { perSecond, type Row, type RowGroup, times } from '../row.ts';

function toRow({ what, bare, bound, ours, theirs, ratio, spread }: ReceiverRace): Row {
  return {
    what: `webhook verified and ${what}, 32 in flight, deliveries/s`,
    target: `≥ ${bound} × verified, ${bare}`,
    figure: times(ratio),
    isMet: ratio >= bound,
    spread,
    measured: [
      ['payments-client', perSecond(ours)],
      [`verified, ${bare}`, perSecond(theirs)],
    ],
  };
}

export const receiver: RowGroup = {
  name: 'receiver',
  measure: async () => (await runReceiverRaces()).map(toRow),
};
