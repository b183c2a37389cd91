import { day, hour, minute } from '../base/time.ts';

/** Returns the time of day in UTC, such as `17:11`. */
export function clockTime(at: number): string {
  return new Date(at).toISOString().slice(11, 16);
}

/** Returns the date in UTC, such as `16 Jan 2026`. */
export function dayText(at: number): string {
  return new Date(at).toLocaleDateString('en-GB', { dateStyle: 'medium', timeZone: 'UTC' });
}

/** Returns a length of time in its largest unit, such as `3 days`; empty for less than a minute. */
export function ageText(ms: number): string {
  if (ms >= day) return `${Math.floor(ms / day)} d`;
  if (ms >= hour) return `${Math.floor(ms / hour)} h`;
  return ms >= minute ? `${Math.floor(ms / minute)} min` : '';
}
