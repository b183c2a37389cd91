/**
 * The contents of the files that the pages load, by name: JSON, compressed with gzip, in base64. Each build puts them here:
 * `page-bundles.ts`.
 */
export const bundles: string = '';
