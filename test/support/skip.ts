/**
 * Returns whether to skip a suite because its server is not installed, and the reason in words. A machine that gates
 * changes must not skip: if `CI` is set, the server's start fails with the reason.
 */
export function skipWithout(
  isThere: boolean,
  server: string,
  file: string,
): { isSkipped: boolean; why: string } {
  const isSkipped = !isThere && (process.env['CI'] ?? '') === '';
  if (!isSkipped) return { isSkipped, why: '' };
  const reason = `skipped: there is no ${server} here; install it, or set CI to make this fail`;
  process.stderr.write(`${file}: ${reason}\n`);
  return { isSkipped, why: ` (${reason})` };
}
