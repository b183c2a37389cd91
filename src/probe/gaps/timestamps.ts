import { asAssumed, differs, type Gap, notSeen } from '../finding.ts';
import { allSeen, type Seen } from '../objects.ts';

/** From 2000 to 2100, in seconds. */
const first = Date.UTC(2000, 0) / 1000;
const last = Date.UTC(2100, 0) / 1000;

function unitOf(value: number): 'seconds' | 'milliseconds' | undefined {
  if (value >= first && value < last) return 'seconds';
  return value >= first * 1000 && value < last * 1000 ? 'milliseconds' : undefined;
}

function timestampsOf(seen: Seen): readonly number[] {
  return ['created_at', 'updated_at', 'created']
    .map((name) => seen[name])
    .filter((value) => typeof value === 'number');
}

/** The unit of timestamps: the unit that fits every received timestamp. */
export const timestamps: Gap = {
  id: 'G56',
  title: 'unit of timestamps',
  *read() {
    const objects = [...(yield* allSeen()).values()].flat();
    const units = objects.flatMap(timestampsOf).map(unitOf);
    const [unit] = units;
    if (unit === undefined || units.some((other) => other !== unit)) return notSeen();
    return unit === 'seconds' ? asAssumed(unit, { timestamps: unit }) : differs(unit, { timestamps: unit });
  },
};
