import type { Requirement } from '../requirement.ts';

const identity = 'test/browser/widget-identity.test.ts';
const conversation = 'test/unit/widget/conversation/conversation.test.ts';

/** wire.md 9. */
export const wireSection9: readonly Requirement[] = [
  {
    id: 'wire-9-01',
    source: 'wire.md 9',
    says: 'A changed token reconnects the hosted script as the new user with an empty conversation.',
    tests: [
      {
        file: identity,
        title:
          'another user begins anew: nothing of the former one is left on the screen or in the conversation (wire.md 9)',
      },
      { file: identity, title: 'who signs out takes everything along, an open question too' },
      { file: conversation, title: 'another user begins with an empty conversation, in the middle of a turn too' },
    ],
  },
  {
    id: 'wire-9-02',
    source: 'wire.md 9',
    says: 'The hosted script works in any page, over the hub, with HTTP for confirmations and Stop.',
    tests: [
      { file: identity, title: 'a page on another origin signs in as its guide shows (docs/guides/widget.md)' },
      {
        file: 'test/browser/connection.test.ts',
        title: 'Stop ends the reply, keeps what was said and closes the model’s socket (wire.md 5)',
      },
    ],
  },
];
