/**
 * Checks that third-party tools read `openapi.json` as merchants install it: a linter, three client generators, and
 * Postman's importer. They are installed into a separate folder. Needs the build.
 */

import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { check, printCounts } from './checks.ts';
import { importIntoPostman } from './openapi/postman.ts';
import { expectedOutput, heyApiProgram, swaggerTypescriptProgram, typesProgram } from './openapi/programs.ts';
import { Project } from './openapi/project.ts';

const tools = [
  '@hey-api/openapi-ts@0.95',
  '@redocly/cli@2',
  'openapi-to-postmanv2@6',
  'openapi-typescript@7',
  'swagger-typescript-api@13',
  // The generators support no later version.
  'typescript@5.9',
];

/** The form endpoint and the script show no status but 200, and objects have fields outside the schemas. */
const lintRules = {
  extends: ['recommended'],
  rules: {
    'operation-4xx-response': 'off',
    'no-invalid-media-type-examples': { severity: 'error', allowAdditionalProperties: true },
    'no-invalid-schema-examples': { severity: 'error', allowAdditionalProperties: true },
  },
};

const project = new Project();
const { description } = project;

async function lint(): Promise<void> {
  const config = project.path('redocly.yaml');
  writeFileSync(config, JSON.stringify(lintRules));
  const output = await project.run('redocly', 'lint', description, '--config', config);
  if (/\d+ warning/.test(output)) throw new Error(output);
}

async function generateTypes(): Promise<void> {
  await project.run('openapi-typescript', description, '--output', project.path('types/generated/types.ts'));
  await project.compile('types', typesProgram);
}

/** Generates a client, compiles a program that uses it, and runs the program with a sandbox. */
async function useClient(
  name: string,
  program: string,
  ...command: readonly [string, ...string[]]
): Promise<void> {
  await project.run(...command);
  await project.compile(name, program);
  assert.deepEqual(await project.runWithSandbox(name), expectedOutput);
}

function useHeyApi(): Promise<void> {
  const files = ['--input', description, '--output', project.path('hey-api/generated')];
  return useClient('hey-api', heyApiProgram, 'openapi-ts', ...files, '--client', '@hey-api/client-fetch');
}

function useSwaggerTypescript(): Promise<void> {
  const files = ['--path', description, '--output', project.path('swagger/generated'), '--name', 'api.ts'];
  return useClient('swagger', swaggerTypescriptProgram, 'swagger-typescript-api', 'generate', ...files);
}

interface Operation {
  readonly tags: readonly string[];
  readonly summary: string;
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly example?: unknown }>>;
  };
}

interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: {
      readonly sale: { readonly oneOf: readonly { readonly examples: readonly unknown[] }[] };
    };
  };
}

/** Returns the example of a request; for the form, that of the first way to pay. */
function exampleOf({ requestBody }: Operation, { components }: Description): unknown {
  if (requestBody === undefined) return undefined;
  const { 'application/json': json } = requestBody.content;
  return json === undefined ? components.schemas.sale.oneOf[0]?.examples[0] : json.example;
}

async function importIntoFolders(): Promise<void> {
  const folders = await importIntoPostman(description, project.path('package.json'));
  const document: Description = JSON.parse(readFileSync(description, 'utf8'));
  const operations = Object.values(document.paths).flatMap((path) => Object.values(path));
  for (const operation of operations) {
    const {
      tags: [tag = ''],
      summary,
    } = operation;
    const request = folders.get(tag)?.find(({ name }) => name === summary);
    assert.deepEqual(request?.body, exampleOf(operation, document), summary);
    assert(Number(request?.responses) > 0, summary);
  }
}

try {
  await project.install(...tools);
  await check('the linter reports nothing', lint);
  await check('openapi-typescript: its types compile', generateTypes);
  await check('@hey-api/openapi-ts: its client compiles and pays', useHeyApi);
  await check('swagger-typescript-api: its client compiles and pays', useSwaggerTypescript);
  await check('Postman: a folder for each tag, with bodies and responses', importIntoFolders);
} finally {
  project.remove();
}
printCounts('openapi');
