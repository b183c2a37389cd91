/** What schemas are made from, for the layers above, which describe more than resources. */

export { findIssues, type Schema, type TypeOf } from '../base/schema.ts';
export * from '../base/shapes.ts';
