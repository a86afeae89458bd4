import type { Requirement } from '../requirement.ts';

const planted = 'test/integration/planted-words.test.ts';
const tenancy = 'test/integration/tenancy.test.ts';

/** The statements of `docs/contract` about tenants. */
export const tenancyRequirements: readonly Requirement[] = [
  {
    id: 'configuration-7-30',
    tests: [
      { file: tenancy, title: 'answers no confirmation and stops no turn of the hub' },
      { file: tenancy, title: 'neither saves nor puts back a conversation' },
      { file: tenancy, title: 'takes over no turn of the hub' },
      { file: tenancy, title: 'goes on with no stream of server-sent events' },
      { file: tenancy, title: 'has messages, turns and connections of its own to use up' },
    ],
  },
  {
    id: 'configuration-7-31',
    tests: [
      { file: tenancy, title: 'is refused at %s' },
      { file: tenancy, title: 'is one whose claim holds %s' },
    ],
  },
  {
    id: 'configuration-7-32',
    tests: [
      { file: tenancy, title: 'is told apart by actions' },
      { file: tenancy, title: 'is told apart by callbacks' },
    ],
  },
  {
    id: 'configuration-7-33',
    tests: [{ file: tenancy, title: 'come from the claims of the user that the program vouches for' }],
  },
  { id: 'configuration-7-34', tests: [{ file: tenancy, title: 'are read by %s alone' }] },
  {
    id: 'configuration-7-60',
    tests: [
      { file: tenancy, title: 'is offered to %s, and called by them, as it should be' },
      { file: tenancy, title: 'is in neither the tour, nor the suggestions, nor on the demo page' },
      { file: tenancy, title: 'of a callback is offered to its users alone' },
    ],
  },
  {
    id: 'configuration-7-62',
    tests: [
      {
        file: planted,
        title: 'are seen by who may, and neither heard by nor sent for anybody else, on every channel',
      },
      { file: planted, title: 'are neither heard nor sent for anybody else in the same process' },
    ],
  },
  { id: 'configuration-7-61', tests: [{ file: tenancy, title: 'is named in the warnings of %s' }] },
  { id: 'configuration-7-35', tests: [{ file: tenancy, title: 'are read by %s alone' }] },
];
