/**
 * The JSX factory of the bundles. `h(type, props, child)` is shorter than the automatic runtime's `jsx(type, {
 * children: [child] })`.
 */
export { Fragment, h } from 'preact';
