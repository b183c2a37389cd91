/**
 * Returns the fixed score of a test address; `undefined` for any other address. The interface lists four fixed scores without their
 * addresses, so these are the sandbox's own: `risk10@…`, `risk50@…`, `risk90@…` and `risk95@…`, also after a `+`, in either case.
 */
export function fixedScoreOf(email: string): number | undefined {
  const [, score] = /^(?:[^@]*\+)?risk(10|50|90|95)@[^@]+$/i.exec(email.trim()) ?? [];
  return score === undefined ? undefined : Number(score);
}
