/** What a section gets of the address. */
export interface SectionProps {
  /** The parts of the path behind the section's name. */
  readonly path: readonly string[];
  readonly query: URLSearchParams;
}
