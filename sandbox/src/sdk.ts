/** The only door to the insides of the SDK: data and pure functions, bundled at build. `sandbox/test/sdk.test.ts` counts its names. */

export { enumerateIssues } from '../../src/base/errors.ts';
export { describeValue } from '../../src/base/issue.ts';
export {
  hasValidCheckDigit,
  isLikeCardNumber,
  placeholder,
  Redactor,
  redact,
} from '../../src/base/redact.ts';
export { unlistenedAddress } from '../../src/base/runtime/runtime.ts';
export { version } from '../../src/base/runtime/version.ts';
export { isPlainName, meantBy, nearest, unknownNames } from '../../src/base/schema/advice.ts';
export { fieldNames, unknownFields } from '../../src/base/schema/field-names.ts';
export { issuesOf } from '../../src/base/schema/validation.ts';
export { parseBaseUrl } from '../../src/http/client/connection.ts';
export { adviceOnKey, kindOf, outcomeOf } from '../../src/http/failure/api-errors.ts';
export { messageFor, receivedOf } from '../../src/http/failure/call-errors.ts';
export { readErrorBody } from '../../src/http/failure/error-body.ts';
export { resolveExtraParameters } from '../../src/http/request/extra-parameters.ts';
export { secretIssues } from '../../src/http/request/secret.ts';
export { collectionObjects } from '../../src/resources/collection-objects.ts';
export { idPrefixes } from '../../src/resources/fields/ids.ts';
export { requestSchema } from '../../src/resources/request-schemas.ts';
export { routes } from '../../src/resources/routes.ts';
export { fieldNamesOf, resourceSchemas } from '../../src/resources/schemas.ts';
export {
  readServiceInterface,
  resolveServiceRoutes,
  serviceInterfaceSchema,
} from '../../src/resources/service/service-interface.ts';
export { transitions } from '../../src/resources/transitions.ts';
export { decodeForm } from '../../src/transact/decode.ts';
export { isAuthenticationFailure, toResult } from '../../src/transact/result.ts';
export { eventCatalog } from '../../src/webhooks/events/catalog.ts';
export { chargebackSchema } from '../../src/webhooks/events/chargeback.ts';
export { connectObjectSchema } from '../../src/webhooks/events/connect.ts';
export { readEvent, schemaFor } from '../../src/webhooks/events/parse.ts';
export { typesElsewhere } from '../../src/webhooks/events/types-elsewhere.ts';
export { schemeFor } from '../../src/webhooks/signatures/scheme-for.ts';
