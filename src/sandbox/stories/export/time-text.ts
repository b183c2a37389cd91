import { day, hour, minute, second } from '../../../base/time.ts';

const units = [
  ['day', day],
  ['hour', hour],
  ['minute', minute],
] as const;

/** Returns a duration for `clock.advance`, such as `3 days`. It is never shorter than the given one. */
export function timeText(ms: number): string {
  const [name, size] = units.find(([, unit]) => ms % unit === 0) ?? ['second', second];
  const count = Math.ceil(ms / size);
  return `${count} ${name}${count === 1 ? '' : 's'}`;
}
