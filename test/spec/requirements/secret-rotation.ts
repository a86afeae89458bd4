import type { Requirement } from '../requirement.ts';

const rotation = 'test/integration/secret-rotation.test.ts';
const verifier = 'test/unit/adapters/identity/token-verifier.test.ts';
const remoteKeys = 'test/unit/adapters/identity/remote-keys.test.ts';
const authRules = 'test/unit/config/auth-rules.test.ts';
const token = 'test/unit/cli/token.test.ts';
const ops = 'test/unit/channels/ops/ops-channel.test.ts';
const callbackGuide = 'test/integration/callback-guide.test.ts';

/** The statements about secrets that may be lists. */
export const rotationRequirements: readonly Requirement[] = [
  {
    id: 'configuration-4-01',
    tests: [
      {
        file: rotation,
        title: 'auth.jwt.secret: tokens signed with any of them sign their user in, others are 401',
      },
      {
        file: verifier,
        title: 'signed with any secret of a list is believed, and its end and audience are looked at all the same',
      },
      { file: token, title: 'signs with the first of a list of secrets' },
      { file: authRules, title: 'takes a text or a list of secrets, from the file and from the environment' },
    ],
  },
  {
    id: 'configuration-4-02',
    tests: [
      {
        file: rotation,
        title: 'endpoints.metrics.token: a scraper with any of them is answered, others are 401',
      },
      { file: ops, title: 'takes any one of a list of tokens' },
    ],
  },
  {
    id: 'extending-2-01',
    tests: [
      {
        file: rotation,
        title: 'actions.callbacks[].secret: every request has a signature of each, in the order of the list',
      },
      {
        file: callbackGuide,
        title: 'accepts a request that another key has signed too, as it is while the secret is changed',
      },
    ],
  },
  {
    id: 'configuration-4-03',
    tests: [
      { file: verifier, title: 'without a signature (alg: none) is unauthenticated' },
      { file: verifier, title: 'signed with the public key as a secret is unauthenticated (key confusion)' },
    ],
  },
  {
    id: 'configuration-4-04',
    tests: [
      { file: remoteKeys, title: 'are read again for an unknown kid, at most once a minute however many tokens come' },
      { file: remoteKeys, title: 'stay in use while the issuer is down' },
    ],
  },
];
