import type { State } from '../../domain/state.ts';
import type { Settings } from '../../options.ts';
import type { Keeper } from './persistence.ts';

/** How far a running clock moves before its time is kept, in milliseconds: it catches up with real time anyway. */
const oftenEnough = 10_000;

/** Keeps all that becomes of a state. */
export function keep(state: State, keeper: Keeper, { clock: mode }: Settings): void {
  const { clock, agenda, ids } = state;
  let kept = clock.now();
  keeper.attach(state);
  state.journal = (changes) => keeper.append(changes, clock.now(), ids.count);
  state.watchers.add(() => keeper.tidy(state));
  agenda.moved = () => {
    if (mode === 'running' && clock.now() - kept < oftenEnough) return;
    kept = clock.now();
    keeper.append([], kept, ids.count);
  };
}
