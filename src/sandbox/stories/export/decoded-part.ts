/** A part of a path without its percent-encoding; as it is, where that is none. */
export function decodedPart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
