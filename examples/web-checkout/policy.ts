/** What a browser page needs to reach the service. All of it is public. */
export interface BrowserSettings {
  readonly baseUrl: string;
  readonly publicKey: string;
  /** The address of the hosted pages. */
  readonly checkoutPage: string;
}

/** Returns the Content-Security-Policy of the shop's pages: their own files, and the service's scripts and frames. */
export function policyOf({ baseUrl, checkoutPage }: BrowserSettings): string {
  return [
    "default-src 'none'",
    `script-src 'self' ${baseUrl}`,
    `connect-src 'self' ${baseUrl}`,
    `frame-src ${baseUrl}`,
    "style-src 'self'",
    'img-src data:',
    // The order's form redirects to the hosted page.
    `form-action 'self' ${new URL(checkoutPage).origin}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
