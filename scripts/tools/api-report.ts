/**
 * Writes the public surface of each entry, from the declarations of the build, to `docs/api-report/`, so that a review
 * shows each change. Fails if the reports differ from the committed ones; `--write` updates them. The command of
 * api-extractor takes one entry, with a settings file for each.
 */

import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ConsoleMessageId, Extractor, ExtractorConfig, ExtractorLogLevel } from '@microsoft/api-extractor';

const root = resolve(import.meta.dirname, '../..');
const reports = join(root, 'docs/api-report');
const { values } = parseArgs({ options: { write: { type: 'boolean', default: false } } });

/** Returns the declarations of each entry of both packages, by the name of its report. */
function entries(): [name: string, declarations: string][] {
  return ['.', 'sandbox'].flatMap((folder) => {
    const manifest = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
    return Object.entries<{ import?: { types?: string } }>(manifest.exports).flatMap(
      ([path, { import: built }]): [string, string][] => {
        const name = [folder, path]
          .flatMap((part) => part.split('/'))
          .filter((part) => part !== '.')
          .join('-');
        return built?.types === undefined ? [] : [[name || 'main', join(folder, built.types)]];
      },
    );
  });
}

/** Writes the report of an entry. Returns whether it matches the committed report. */
function report([name, declarations]: [string, string]): boolean {
  const config = ExtractorConfig.prepare({
    configObject: {
      projectFolder: root,
      mainEntryPointFilePath: join(root, declarations),
      newlineKind: 'lf',
      compiler: {
        overrideTsconfig: {
          compilerOptions: {
            target: 'ES2022',
            lib: ['ES2023'],
            module: 'NodeNext',
            moduleResolution: 'NodeNext',
            types: [],
            skipLibCheck: true,
          },
          files: [declarations],
        },
      },
      apiReport: {
        enabled: true,
        reportFileName: name,
        reportFolder: reports,
        reportTempFolder: join(root, '.tmp/api-report'),
      },
      docModel: { enabled: false },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
      messages: {
        compilerMessageReporting: { default: { logLevel: ExtractorLogLevel.Error } },
        // typedoc checks the documentation.
        extractorMessageReporting: { default: { logLevel: ExtractorLogLevel.None } },
        tsdocMessageReporting: { default: { logLevel: ExtractorLogLevel.None } },
      },
    },
    configObjectFullPath: undefined,
    packageJsonFullPath: join(root, 'package.json'),
  });
  const { apiReportChanged, errorCount } = Extractor.invoke(config, {
    localBuild: values.write,
    printApiReportDiff: true,
    messageCallback: (message) => {
      message.handled =
        message.logLevel !== ExtractorLogLevel.Error && message.messageId !== ConsoleMessageId.ApiReportDiff;
    },
  });
  const isCurrent = errorCount === 0 && (values.write || !apiReportChanged);
  console.log(`${isCurrent ? 'ok  ' : 'FAIL'} ${name}`);
  return isCurrent;
}

mkdirSync(reports, { recursive: true });
if (!existsSync(join(root, 'dist')))
  throw new Error('expected the build in dist, got none. Run npm run build first.');
if (entries().map(report).includes(false)) {
  console.log(
    'The public surface differs from docs/api-report. If that is intended: npx node scripts/tools/api-report.ts --write, and add a changeset (npx changeset).',
  );
  process.exitCode = 1;
}
