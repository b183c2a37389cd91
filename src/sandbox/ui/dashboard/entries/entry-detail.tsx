import type { Entry } from '../../../stories/entry.ts';
import { ActionDetail } from './action-detail.tsx';
import { ChangeDetail } from './change-detail.tsx';
import { DeliveryDetail } from './delivery-detail.tsx';
import { RequestDetail } from './request-detail.tsx';

/** Shows all details of an entry. */
export function EntryDetail({ entry }: { readonly entry: Entry }) {
  switch (entry.kind) {
    case 'request':
      return <RequestDetail request={entry} />;
    case 'change':
      return <ChangeDetail change={entry} />;
    case 'delivery':
      return <DeliveryDetail delivery={entry} />;
    case 'action':
      return <ActionDetail action={entry} />;
  }
}
