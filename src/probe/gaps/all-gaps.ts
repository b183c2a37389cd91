import type { Gap } from '../finding.ts';
import { errorShape } from './error-shape.ts';
import { formEncoding, formResponse, wrongSecurityKey } from './form.ts';
import { idPrefixes } from './id-prefixes.ts';
import { itemsField } from './items-field.ts';
import { objectPlace } from './object-place.ts';
import { pageLimit } from './page-limit.ts';
import { requestIdHeader } from './request-id-header.ts';
import { routeGaps } from './routes.ts';
import { deletion, repeatedKey } from './test-customer.ts';
import { timestamps } from './timestamps.ts';
import { fields, statuses } from './values.ts';

/** Every gap that requests can close, in the order of the probe. */
export const allGaps: readonly Gap[] = [
  repeatedKey,
  itemsField,
  requestIdHeader,
  errorShape,
  ...routeGaps,
  objectPlace,
  timestamps,
  idPrefixes,
  statuses,
  fields,
  pageLimit,
  formEncoding,
  formResponse,
  wrongSecurityKey,
  deletion,
];
