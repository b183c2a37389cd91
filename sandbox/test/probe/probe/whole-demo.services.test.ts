/** Reaches inside: the sandbox uses random forms that the probe can detect. */

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { createSandbox } from 'payments-client-sandbox';
import { expect, onTestFinished, test } from 'vitest';
import { errorShapes, objectPlaces } from '../../../../src/resources/service/service-interface.ts';
import { paymentsClient, runProgram, withPackage } from '../../../../test/support/programs.ts';
import { temporaryFile } from '../../../../test/support/temporary-file.ts';
import { routesInForm } from '../support.ts';

const demo = fileURLToPath(new URL('../../../../examples/demo.ts', import.meta.url));
const hook = fileURLToPath(new URL('../../../../test/support/sandbox-of-forms.ts', import.meta.url));

/** Forms that the client does not know: none of the assumed ones that the demo needs, and any other ones. */
const anyForms = fc.record({
  itemsField: fc.constantFrom('results', 'rows', 'list'),
  objectPlace: fc.constantFrom(...objectPlaces),
  errorShape: fc.constantFrom(...errorShapes),
  requestIdHeader: fc.constantFrom('x-correlation-id', 'cf-ray'),
  timestamps: fc.constantFrom('seconds' as const, 'milliseconds' as const),
  deletion: fc.constantFrom('object' as const, 'confirmation' as const, 'empty' as const),
  formEncoding: fc.constant('multipart' as const),
  formResponse: fc.constantFrom('unescaped' as const, 'escaped' as const, 'json' as const),
  routes: fc.integer({ min: 1, max: 3 }).map(routesInForm),
});

test.each(fc.sample(anyForms, { numRuns: 3, seed: 1 }).map((forms, index) => [index, forms] as const))(
  'a client with the written file passes the demo, and fails without it (%i)',
  async (_, forms) => {
    const sandbox = await createSandbox({ interface: forms }).listen();
    onTestFinished(() => sandbox.close());
    const file = await temporaryFile();
    const { url, secretKey, securityKey } = sandbox;
    const env = {
      PAYMENTS_BASE_URL: url,
      PAYMENTS_SECRET_KEY: secretKey,
      PAYMENTS_SECURITY_KEY: securityKey,
    };
    const probed = await runProgram(
      paymentsClient,
      ['probe', '--create', '--form', '--pace', '0', '--out', file],
      env,
    );
    expect(probed).toMatchObject({ code: 0 });
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject(forms);

    const program = { path: demo, nodeOptions: [...withPackage, '--import', hook] };
    const SANDBOX_FORMS = JSON.stringify(forms);
    const passed = await runProgram(program, [], { SANDBOX_FORMS, PAYMENTS_INTERFACE: file });
    expect(passed.stderr).toBe('');
    expect(passed.stdout).toMatch(/All \d+ steps gave the expected results/);
    expect(passed.code).toBe(0);
    expect(await runProgram(program, [], { SANDBOX_FORMS })).toMatchObject({ code: 1 });
  },
);
