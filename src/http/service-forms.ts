/** Where an object stands in a response: it is the whole body, or stands under `data` or under the name of its type. */
export type ObjectPlace = 'whole' | 'data' | 'type';

/**
 * How an error is written: `{ error: { code, message } }`, these fields alone, the first of a list `errors`, problem details (RFC 9457), or
 * `CODE: message` as text or as the title of a page.
 */
export type ErrorShape = 'nested' | 'flat' | 'list' | 'problem' | 'text' | 'html';

/** The forms of the JSON API that the interface does not show. What is left out is found in each response. */
export interface ServiceForms {
  /** The field of a page that holds its items. */
  readonly itemsField?: string | undefined;
  /** Where an object stands in a response. One that stands elsewhere is found too. */
  readonly objectPlace?: ObjectPlace | undefined;
  /** How an error is written. */
  readonly errorShape?: ErrorShape | undefined;
  /** The name of the header with the id of a request, in any case. */
  readonly requestIdHeader?: string | undefined;
  /** The greatest `limit` of a list in the cursor form. */
  readonly maxLimit?: number | undefined;
}
