/** What a run needs: the server, and a certificate that the contenders trust. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generate } from 'selfsigned';
import { BenchServer } from './processes.ts';

export interface Surroundings {
  readonly server: BenchServer;
  /** The file with the certificate. */
  readonly certificate: string;
}

const altNames = [{ type: 2 as const, value: 'localhost' }];

/** Does something with a server, which is stopped afterwards. */
export async function withServer<T>(work: (surroundings: Surroundings) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'payments-client-bench-'));
  const extensions = [
    { name: 'basicConstraints' as const, cA: true },
    { name: 'subjectAltName' as const, altNames },
  ];
  const { private: key, cert } = await generate([{ name: 'commonName', value: 'localhost' }], { extensions });
  const certificate = join(folder, 'certificate.pem');
  writeFileSync(certificate, cert);
  const server = await BenchServer.start({ key, cert });
  try {
    return await work({ server, certificate });
  } finally {
    server.stop();
    rmSync(folder, { recursive: true });
  }
}
