import type { EncodedBody } from '../http/caller.ts';

/** How a form is written on the wire. */
export type FormEncoding = 'urlencoded' | 'multipart';

/** The fields of a form, in the order in which they are sent. */
export type FormFields = readonly (readonly [name: string, value: string])[];

/** A form as text, so that it can be sent again where that is safe. */
export function encodeForm(fields: FormFields, encoding: FormEncoding): EncodedBody {
  return encoding === 'urlencoded' ? encodeUrl(fields) : encodeMultipart(fields);
}

function encodeUrl(fields: FormFields): EncodedBody {
  const parameters = new URLSearchParams();
  for (const [name, value] of fields) parameters.append(name, value);
  return { contentType: 'application/x-www-form-urlencoded;charset=UTF-8', content: parameters.toString() };
}

function encodeMultipart(fields: FormFields): EncodedBody {
  // Nobody who gives a value may foresee it: a value that holds it would end its field and begin another.
  const boundary = crypto.randomUUID();
  const parts = fields.map(([name, value]) => {
    const head = `content-disposition: form-data; name="${name.replace(/[\r\n"]/g, encodeURIComponent)}"`;
    return `--${boundary}\r\n${head}\r\n\r\n${value.replace(/\r\n?|\n/g, '\r\n')}\r\n`;
  });
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    content: `${parts.join('')}--${boundary}--\r\n`,
  };
}
