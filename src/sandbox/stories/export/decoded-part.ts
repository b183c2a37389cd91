/** Percent-decodes a part of a path; returns an invalid one unchanged. */
export function decodedPart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
