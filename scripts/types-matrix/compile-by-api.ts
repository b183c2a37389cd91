/**
 * A thread that compiles with one TypeScript through its API. `tsc` checks the declarations of every library too, and takes
 * ten times as long for errors that do not count here.
 */

import { createRequire } from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';
import type * as TypeScript from 'typescript';
import { isForeign, type Job, type Verdict } from './compile.ts';
import type { Compilation } from './matrix.ts';

const { compiler, compilations }: Job = workerData;
const ts: typeof TypeScript = createRequire(import.meta.url)(compiler);

/** Declarations are parsed once for all programs: as an ES module, as CommonJS, or as neither. */
const parsed = new Map<string, TypeScript.SourceFile | undefined>();

function hostOf(options: TypeScript.CompilerOptions): TypeScript.CompilerHost {
  const host = ts.createCompilerHost(options);
  const getSourceFile: typeof host.getSourceFile = (path, how, ...others) => {
    if (!/\.d\.[cm]?ts$/.test(path)) return host.getSourceFile(path, how, ...others);
    const key = `${path} ${Object(how).impliedNodeFormat}`;
    if (!parsed.has(key)) parsed.set(key, host.getSourceFile(path, how, ...others));
    return parsed.get(key);
  };
  return { ...host, getSourceFile };
}

function compile({ name, folder, project }: Compilation): Verdict {
  const { config } = ts.readConfigFile(project, ts.sys.readFile);
  const { options, fileNames, errors } = ts.parseJsonConfigFileContent(config, ts.sys, folder);
  const program = ts.createProgram({
    ...{ rootNames: fileNames, options, configFileParsingDiagnostics: errors },
    host: hostOf(options),
  });
  const files = program.getSourceFiles().filter(({ fileName }) => !isForeign(fileName));
  const found = files.flatMap((file) => ts.getPreEmitDiagnostics(program, file));
  const complaints = ts.formatDiagnostics(ts.sortAndDeduplicateDiagnostics(found), {
    getCurrentDirectory: () => folder,
    getCanonicalFileName: (path) => path,
    getNewLine: () => '\n',
  });
  return { name, complaints: complaints.trimEnd() };
}

parentPort?.postMessage(compilations.map(compile));
