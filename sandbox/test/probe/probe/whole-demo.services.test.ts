/** Reaches inside: the sandbox uses random forms that the probe can detect. */

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createSandbox } from 'payments-client-sandbox';
import { expect, onTestFinished, test } from 'vitest';
import { errorShapes, objectPlaces } from '../../../../src/resources/service-interface.ts';
import { drawsFrom, pick } from '../../../../test/support/draws.ts';
import { paymentsClient, runProgram, withPackage } from '../../../../test/support/programs.ts';
import { temporaryFile } from '../../../../test/support/temporary-file.ts';
import { routesInForm } from '../support.ts';

const demo = fileURLToPath(new URL('../../../../examples/demo.ts', import.meta.url));
const hook = fileURLToPath(new URL('../../../../test/support/sandbox-of-forms.ts', import.meta.url));

/** Returns forms that the client does not know: none of the assumed ones that the demo needs, and random other ones. */
function drawForms(seed: number) {
  const draw = drawsFrom(seed);
  return {
    itemsField: pick(draw, ['results', 'rows', 'list']),
    objectPlace: pick(draw, objectPlaces),
    errorShape: pick(draw, errorShapes),
    requestIdHeader: pick(draw, ['x-correlation-id', 'cf-ray']),
    timestamps: pick(draw, ['seconds', 'milliseconds'] as const),
    deletion: pick(draw, ['object', 'confirmation', 'empty'] as const),
    formEncoding: 'multipart',
    formResponse: pick(draw, ['unescaped', 'escaped', 'json'] as const),
    routes: routesInForm(1 + draw(3)),
  } as const;
}

test.each([1, 2, 3])(
  'a client with the written file passes the demo, and fails without it (%i)',
  async (seed) => {
    const forms = drawForms(seed);
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
