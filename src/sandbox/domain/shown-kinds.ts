import { resourceSchemas } from '../../resources/schemas.ts';
import type { SandboxKind } from './records/records.ts';

/** The kinds that are shown: those of the service, and the transactions of the form endpoint. */
export type ShownKind = SandboxKind | 'transaction';

/** Whether objects of a kind are shown. */
export function isShownKind(kind: string): kind is ShownKind {
  return kind === 'transaction' || Object.hasOwn(resourceSchemas, kind);
}
