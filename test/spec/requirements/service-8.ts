import type { Requirement } from '../requirement.ts';

const limits = 'test/integration/limits.test.ts';
const loadSettings = 'test/unit/config/load-settings.test.ts';
const suspended = 'test/unit/core/confirmations/suspended-turns.test.ts';

/** The statements whose ids begin with `service-8`. */
export const serviceSection8: readonly Requirement[] = [
  {
    id: 'service-8-01',
    tests: [
      { file: 'test/integration/turn-ends.test.ts', title: '4000 characters pass' },
      { file: 'test/integration/turn-ends.test.ts', title: 'one more is refused before the model is called' },
      { file: 'test/integration/turn-ends.test.ts', title: 'with maxMessageLength: 0 there is no limit' },
    ],
  },
  {
    id: 'service-8-02',
    tests: [
      { file: loadSettings, title: 'fills in every default of contract/assistant.md and contract/sessions.md#length' },
    ],
  },
  {
    id: 'service-8-10',
    tests: [
      { file: loadSettings, title: 'fills in every default of contract/assistant.md and contract/sessions.md#length' },
    ],
  },
  {
    id: 'service-8-11',
    tests: [{ file: limits, title: 'counts each anonymous connection by itself (contract/limits.md#messages)' }],
  },
  {
    id: 'service-8-12',
    tests: [{ file: limits, title: 'a signed-in user, whatever the channel and the connection' }],
  },
  {
    id: 'service-8-13',
    tests: [{ file: limits, title: 'anonymousIdentity %s (contract/identity.md#users)' }],
  },
  {
    id: 'service-8-14',
    tests: [
      {
        file: suspended,
        title:
          'counts the rounds in which a rule stood in for the user from where it was (contract/confirmations.md#rules-in-place-of-the-user)',
      },
    ],
  },
  {
    id: 'service-8-17',
    tests: [
      {
        file: 'test/unit/core/turn/sent-history.test.ts',
        title: 'is sent whole up to the threshold, and without compaction',
      },
      {
        file: 'test/unit/config/load-settings.test.ts',
        title: 'fills in every default of contract/assistant.md and contract/sessions.md#length',
      },
    ],
  },
  {
    id: 'service-8-18',
    tests: [
      {
        file: 'test/unit/core/history/compact-history.test.ts',
        title: 'leaves out the turns before the last compactionMaxTurns before it touches those',
      },
      {
        file: 'test/unit/config/load-settings.test.ts',
        title: 'fills in every default of contract/assistant.md and contract/sessions.md#length',
      },
    ],
  },
];
