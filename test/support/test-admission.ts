import { openTokenVerifier } from '../../src/adapters/identity/open-token-verifier.ts';
import type { Admission } from '../../src/channels/shared/admit-requests.ts';
import { createCrossOriginGuard } from '../../src/channels/shared/cross-origin.ts';
import { RequestIdentity } from '../../src/channels/shared/request-identity.ts';
import { SecurityLog } from '../../src/channels/shared/security-log.ts';
import { Authenticator, type ClaimsTransform } from '../../src/core/identity/authenticator.ts';
import { recordingLogger, recordingMetrics } from './quiet.ts';
import { tokenSecret } from './tokens.ts';

/** The name of the cookie that may carry a token. */
export const tokenCookie = 'app_token';

/** The admission of tests: one listed website, and users with tokens that `tokenSecret` signed. */
export function testAdmission(transforms: readonly ClaimsTransform[] = []): Admission {
  const log = recordingLogger();
  const token = {
    ...{ publicKeyFile: null, jwksUrl: null, discovery: null, issuers: [], audiences: [], clients: [], tenants: [] },
    ...{
      clientsOfProject: false,
      withoutTenants: [],
      tenantClaim: undefined,
      algorithms: [],
      clockTolerance: 0,
      entry: 0,
    },
  };
  const authenticator = new Authenticator({
    verifier: openTokenVerifier({ ...token, secret: tokenSecret }, { log, metrics: recordingMetrics(), now: Date.now }),
    rules: { mapInboundClaims: true, nameClaims: ['name'], idNameClaim: 'name', roleClaims: ['role'], addRoles: [] },
    transforms,
    anonymousIdentity: 'PerSession',
    log,
  });
  return {
    guard: createCrossOriginGuard({
      publicUrl: '',
      host: '127.0.0.1',
      hosts: [],
      allowedOrigins: ['https://shop.example.com'],
      credentials: true,
    }),
    identity: new RequestIdentity({ authenticator, cookie: tokenCookie, hubPath: '/helper-hub' }),
    security: new SecurityLog(log, recordingMetrics()),
  };
}
