import { FormDataEncoder } from 'form-data-encoder';
import type { EncodedBody } from '../core/caller.ts';

/** How a form is written on the wire. */
export type FormEncoding = 'urlencoded' | 'multipart';

/** The fields of a form, in the order in which they are sent. */
export type FormFields = readonly (readonly [name: string, value: string])[];

/** A form as bytes or text, so that it can be sent again where that is safe. */
export function encodeForm(fields: FormFields, encoding: FormEncoding): EncodedBody {
  return encoding === 'urlencoded' ? encodeUrl(fields) : encodeMultipart(fields);
}

function encodeUrl(fields: FormFields): EncodedBody {
  const parameters = new URLSearchParams();
  for (const [name, value] of fields) parameters.append(name, value);
  return { contentType: 'application/x-www-form-urlencoded;charset=UTF-8', content: parameters.toString() };
}

function encodeMultipart(fields: FormFields): EncodedBody {
  const form = new FormData();
  for (const [name, value] of fields) form.append(name, value);
  // The encoder's own boundary is drawn by Math.random, which others may foresee, and then a value could hold it.
  const encoder = new FormDataEncoder(form, crypto.randomUUID());
  const parts = [...encoder.values()].filter((part) => part instanceof Uint8Array);
  const content = new Uint8Array(parts.reduce((size, part) => size + part.byteLength, 0));
  let offset = 0;
  for (const part of parts) {
    content.set(part, offset);
    offset += part.byteLength;
  }
  return { contentType: encoder.contentType, content };
}
