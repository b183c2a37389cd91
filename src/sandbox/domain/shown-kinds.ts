import { resourceSchemas } from '../../resources/schemas.ts';
import type { SandboxKind } from './records/records.ts';

/** The kinds that the dashboard shows: those of the service, and transactions of the form endpoint. */
export type ShownKind = SandboxKind | 'transaction';

/** Whether the dashboard shows a kind. */
export function isShownKind(kind: string): kind is ShownKind {
  return kind === 'transaction' || Object.hasOwn(resourceSchemas, kind);
}
