const {
  key = '',
  publicKey = '',
  types = '',
  operations = '',
} = document.querySelector<HTMLElement>('[data-key]')?.dataset ?? {};

const listOf = (text: string) => text.split(' ').filter(Boolean);

/** What the server writes into the page. */
export const pageData = {
  /** The key of the control API. */
  key,
  publicKey,
  /** The types of events that can be triggered. */
  types: listOf(types),
  /** The operations that faults can hit. */
  operations: listOf(operations),
};
