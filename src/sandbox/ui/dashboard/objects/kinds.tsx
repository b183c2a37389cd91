import { heading } from '../kit/format.ts';
import { Empty, Page } from '../kit/page.tsx';
import { sandboxState } from '../kit/sandbox-state.ts';
import { useStore } from '../kit/shared-value.ts';
import { columnsByKind } from './columns.tsx';

/** Lists the kinds of objects, with their counts. */
export function Kinds() {
  const state = useStore(sandboxState);
  const counts = Object.keys(columnsByKind).flatMap((kind) => {
    const count = state?.objects[kind];
    return count === undefined ? [] : [{ kind, count }];
  });
  return (
    <Page title="Objects">
      {counts.length === 0 && state !== undefined && (
        <Empty title="No objects yet.">
          <p>
            Create some with your app, or <a href="#/tools">create sample data</a>.
          </p>
        </Empty>
      )}
      <ul class="tiles">
        {counts.map(({ kind, count }) => (
          <li key={kind}>
            <a href={`#/objects/${kind}`}>
              {heading(kind)} <b>{count.toLocaleString('en-US')}</b>
            </a>
          </li>
        ))}
      </ul>
    </Page>
  );
}
