/**
 * Whether a suite is skipped since its server is not installed, with the reason in words. A machine that decides over a
 * change must not skip: where `CI` is set the server's start fails, and says why.
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
