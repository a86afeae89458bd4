import type { Requirement } from '../requirement.ts';

const rotation = 'test/integration/secret-rotation.test.ts';
const verifier = 'test/unit/adapters/identity/token-verifier.test.ts';
const authRules = 'test/unit/config/auth-rules.test.ts';
const token = 'test/unit/cli/token.test.ts';
const ops = 'test/unit/channels/ops/ops-channel.test.ts';
const callbackGuide = 'test/integration/callback-guide.test.ts';

/** Secrets that may be lists (configuration.md 4, extending.md 2). */
export const rotationRequirements: readonly Requirement[] = [
  {
    id: 'configuration-4-01',
    source: 'configuration.md 4',
    says: 'auth.jwt.secret is a text or a list: the first signs, all verify.',
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
    source: 'configuration.md 4',
    says: 'endpoints.metrics.token is a text or a list.',
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
    source: 'extending.md 2',
    says: 'The secret of a callback may be a list: the first signs, and a receiver that knows any of them can verify.',
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
];
