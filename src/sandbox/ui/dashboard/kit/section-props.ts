/** The props of a section. */
export interface SectionProps {
  /** The parts of the path after the section's name. */
  readonly path: readonly string[];
  readonly query: URLSearchParams;
}
