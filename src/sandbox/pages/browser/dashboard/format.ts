/** The time of day, by the sandbox's clock, in UTC. */
export function timeOf(at: number): string {
  return new Date(at).toISOString().slice(11, 19);
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
