import { describeError } from './describe-error.ts';

const mostLevels = 8;
/** The name of the errors of a request that a proxy did not let through. */
export const proxyFaultName = 'ProxyFault';

/**
 * Why a connection failed, with the code of the machine or of the library, such as `getaddrinfo ENOTFOUND api.example.com (ENOTFOUND)`.
 * Libraries wrap the reason in other errors, and one that was tried at each address of a host has it inside. Undefined where nothing in an
 * error has a code: it may be about anything else, and its words may repeat a request.
 */
export function connectionReason(error: unknown): string | undefined {
  let inner = error;
  let found: { readonly code: string; readonly error: unknown } | undefined;
  for (let level = 0; level < mostLevels && inner instanceof Error; level += 1) {
    // Its words name the proxy, and have the reason inside.
    if (inner.name === proxyFaultName) return describeError(inner);
    const code = codeOf(inner);
    if (code !== undefined) found = { code, error: inner };
    const inside: readonly unknown[] = inner instanceof AggregateError ? inner.errors : [];
    inner = inside[0] ?? inner.cause;
  }
  if (found === undefined) return undefined;
  const words = describeError(found.error);
  // A code in place of words says enough.
  return words === 'no message' || words === 'Error' || words === 'AggregateError'
    ? found.code
    : `${words} (${found.code})`;
}

/** The code of a failed connection: ENOTFOUND, DEPTH_ZERO_SELF_SIGNED_CERT, UND_ERR_SOCKET, ERR_SSL_WRONG_VERSION_NUMBER. */
function codeOf(error: Error): string | undefined {
  const code: unknown = 'code' in error ? error.code : undefined;
  return typeof code === 'string' && /^[A-Z][A-Z0-9_]{2,63}$/.test(code) ? code : undefined;
}
