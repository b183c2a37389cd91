const {
  key = '',
  publicKey = '',
  types = '',
  operations = '',
} = document.querySelector<HTMLElement>('[data-key]')?.dataset ?? {};

const listOf = (text: string) => text.split(' ').filter(Boolean);

/** The values that the server writes into the page. */
export const pageData = {
  /** The key of the control API. */
  key,
  publicKey,
  /** The event types that can be triggered. */
  types: listOf(types),
  /** The operations that faults can target. */
  operations: listOf(operations),
};
