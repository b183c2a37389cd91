/** Imports the description into Postman's format: a folder for each tag, and requests with bodies and saved responses. */

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

export interface PostmanRequest {
  readonly name: string;
  /** The JSON of the body, or the fields of the form; `undefined` if there is none. */
  readonly body: unknown;
  readonly responses: number;
}

interface Item {
  readonly name: string;
  readonly item?: readonly Item[];
  readonly request?: {
    readonly method: string;
    readonly body?: {
      readonly raw?: string;
      readonly urlencoded?: readonly { readonly key: string; readonly value: string }[];
    };
  };
  readonly response?: readonly unknown[];
}

interface Conversion {
  readonly result: boolean;
  readonly reason?: string;
  readonly output: readonly { readonly data: { readonly item: readonly Item[] } }[];
}

interface Importer {
  convertV2(
    input: { readonly type: 'string'; readonly data: string },
    options: Readonly<Record<string, string>>,
    done: (error: Error | null, conversion: Conversion) => void,
  ): void;
}

function toRequest({ name, request, response = [] }: Item): PostmanRequest {
  const { raw, urlencoded } = request?.body ?? {};
  const form = urlencoded && Object.fromEntries(urlencoded.map(({ key, value }) => [key, value]));
  return { name, body: raw === undefined ? form : JSON.parse(raw), responses: response.length };
}

const requestsIn = (items: readonly Item[]): readonly PostmanRequest[] =>
  items.flatMap((item) => (item.item === undefined ? [toRequest(item)] : requestsIn(item.item)));

/** Returns the requests of each folder, by folder name. */
export async function importIntoPostman(
  description: string,
  project: string,
): Promise<ReadonlyMap<string, readonly PostmanRequest[]>> {
  const importer: Importer = createRequire(project)('openapi-to-postmanv2');
  const input = { type: 'string', data: readFileSync(description, 'utf8') } as const;
  const options = { folderStrategy: 'Tags', parametersResolution: 'Example' };
  const { output, reason } = await new Promise<Conversion>((resolve, reject) => {
    importer.convertV2(input, options, (error, conversion) => (error ? reject(error) : resolve(conversion)));
  });
  const [collection] = output ?? [];
  if (collection === undefined) throw new Error(`Expected Postman to import the description, got: ${reason}`);
  return new Map(collection.data.item.map(({ name, item = [] }) => [name, requestsIn(item)]));
}
