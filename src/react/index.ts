'use client';

/**
 * The browser entry for React 18 and later: a hook and a component. They load in effects, so they render on a server too.
 *
 * @module
 */

export { CardFields, type CardFieldsProps } from './card-fields.ts';
export { type GatewayState, useGateway } from './use-gateway.ts';
