import { SignJWT } from 'jose';
import { onTestFinished, vi } from 'vitest';
import { openIdentity } from '../../src/app/open-identity.ts';
import { systemClock } from '../../src/app/system-clock.ts';
import type { HelperSettings } from '../../src/config/settings.ts';
import type { Caller } from '../../src/core/identity/authenticator.ts';
import { recordingLogger, recordingMetrics } from './quiet.ts';
import { rsaKeyPair } from './tokens.ts';

const pair = rsaKeyPair('one');
/** A key of somebody whom no settings trust. */
const stranger = rsaKeyPair('one');

/** What a provider publishes, by address. */
export type Published = Readonly<Record<string, unknown>>;

/** The public keys of the provider that the test plays. */
export const publishedKeys = { keys: [pair.jwk] };

/** Answers requests of this process for what providers publish. Everything else is 404. Returns the addresses that were asked for. */
export function publish(published: Published): readonly string[] {
  const asked: string[] = [];
  const fetched = vi.spyOn(globalThis, 'fetch').mockImplementation(async (input) => {
    const address = input instanceof Request ? input.url : input.toString();
    asked.push(address);
    const content = published[address];
    return content === undefined ? new Response(null, { status: 404 }) : Response.json(content);
  });
  onTestFinished(() => fetched.mockRestore());
  return asked;
}

/** A token of the provider, for an hour unless its claims say otherwise. */
export function providerToken(claims: object, options: { readonly forged?: boolean } = {}): Promise<string> {
  const now = Math.floor(Date.now() / 1000);
  const key = options.forged === true ? stranger.privateKey : pair.privateKey;
  return new SignJWT({ iat: now, exp: now + 3600, ...claims })
    .setProtectedHeader({ alg: 'RS256', kid: 'one' })
    .sign(key);
}

/** A server with these settings, as far as it tells users apart. */
export async function identityOf(settings: HelperSettings): Promise<{
  readonly signIn: (claims: object, options?: { readonly forged?: boolean }) => Promise<Caller>;
  readonly log: ReturnType<typeof recordingLogger>;
}> {
  const log = recordingLogger();
  const identity = await openIdentity(settings, [], { log, metrics: recordingMetrics(), clock: systemClock });
  onTestFinished(() => identity.close());
  const signIn = async (claims: object, options = {}): Promise<Caller> =>
    identity.authenticate(await providerToken(claims, options));
  return { signIn, log };
}
