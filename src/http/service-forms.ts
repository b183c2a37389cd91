/**
 * Where a response contains its object: `whole` is the whole body, `data` is the field `data`, and `type` is a field with
 * the name of the object's type.
 */
export type ObjectPlace = 'whole' | 'data' | 'type';

/**
 * The format of an error body:
 *
 * - `nested`: `{ error: { code, message } }`;
 * - `flat`: `{ code, message }`;
 * - `list`: the first item of a list `errors`;
 * - `problem`: problem details (RFC 9457);
 * - `text`: `CODE: message` as text;
 * - `html`: `CODE: message` as the title of a page.
 */
export type ErrorShape = 'nested' | 'flat' | 'list' | 'problem' | 'text' | 'html';

/** The formats of the JSON API that the interface does not show. The SDK detects an omitted one in each response. */
export interface ServiceForms {
  /** The field of a page that contains its items. */
  readonly itemsField?: string | undefined;
  /** Where a response contains its object. An object elsewhere is found too. */
  readonly objectPlace?: ObjectPlace | undefined;
  /** The format of an error body. */
  readonly errorShape?: ErrorShape | undefined;
  /** The name of the response header with the request id, in upper or lower case. */
  readonly requestIdHeader?: string | undefined;
  /** The greatest `limit` of a list that is paged by cursor. */
  readonly maxLimit?: number | undefined;
}
