import { el } from './element.ts';

/** A moment of the sandbox's clock in UTC: the time, and where there is room the day, since days pass quickly there. */
export function momentOf(at: number): HTMLTimeElement {
  const dateTime = new Date(at).toISOString();
  return el(
    'time',
    { dateTime },
    el('span', { className: 'wide' }, `${dateTime.slice(0, 10)} `),
    dateTime.slice(11, 19),
  );
}

/** Date and time in UTC. */
export function dateOf(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

/** How a status of HTTP is meant. */
export function moodOf(status: number | null | undefined): 'good' | 'warn' | 'bad' {
  if (typeof status !== 'number' || status >= 500) return 'bad';
  return status < 400 ? 'good' : 'warn';
}

/** `checkout_session` as people write it. */
export function words(name: string): string {
  return name.replaceAll('_', ' ');
}

/** The same at the beginning of a line. */
export function heading(name: string): string {
  return words(name).replace(/^./, (letter) => letter.toUpperCase());
}
