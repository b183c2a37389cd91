import { FormDataEncoder } from 'form-data-encoder';
import type { Inline } from '../base/runtime/runtime.ts';
import type { SealedForm } from '../http/call.ts';

/** The encoding of a request to the form endpoint. */
export type FormEncoding = Inline<'urlencoded' | 'multipart'>;

/** The fields of a form, in the order in which they are sent. */
export type FormFields = readonly (readonly [name: string, value: string])[];

/** Encodes a form once, so that every attempt sends the same bytes. */
export function encodeForm(fields: FormFields, encoding: FormEncoding): SealedForm {
  return encoding === 'urlencoded' ? encodeUrl(fields) : encodeMultipart(fields);
}

function encodeUrl(fields: FormFields): SealedForm {
  const parameters = new URLSearchParams();
  for (const [name, value] of fields) parameters.append(name, value);
  return { contentType: 'application/x-www-form-urlencoded;charset=UTF-8', content: parameters.toString() };
}

function encodeMultipart(fields: FormFields): SealedForm {
  // The form of older Workers does not say what it is, and the encoder asks.
  const form = Object.defineProperty(new FormData(), Symbol.toStringTag, { value: 'FormData' });
  for (const [name, value] of fields) form.append(name, value);
  // A value that could foresee the boundary would end its field and begin another.
  const encoder = new FormDataEncoder(form, crypto.randomUUID());
  return { contentType: encoder.contentType, content: join([...encoder.values()]) };
}

/** The bytes of all parts. A part that is no bytes would be a file, and forms of the endpoint have none. */
function join(parts: readonly unknown[]): Uint8Array<ArrayBuffer> {
  const chunks = parts.filter((part) => part instanceof Uint8Array);
  const bytes = new Uint8Array(chunks.reduce((size, chunk) => size + chunk.byteLength, 0));
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return bytes;
}
