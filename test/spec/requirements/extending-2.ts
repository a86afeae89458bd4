import type { Requirement } from '../requirement.ts';

const manifest = 'test/unit/adapters/action-callback/read-manifest.test.ts';
const client = 'test/unit/adapters/action-callback/callback-client.test.ts';
const action = 'test/unit/adapters/action-callback/action-callback.test.ts';
const callback = 'test/integration/callback.test.ts';

const changed = 'test/integration/changed-callback.test.ts';

/** Action callbacks. */
export const extendingSection2: readonly Requirement[] = [
  {
    id: 'extending-2-02',
    tests: [
      { file: callback, title: 'is fetched until the first success, and /readyz is 503 meanwhile' },
      { file: manifest, title: 'is refused as a whole for a misspelt member' },
      { file: manifest, title: 'is refused as a whole for a reserved name' },
    ],
  },
  {
    id: 'extending-2-03',
    tests: [
      { file: action, title: 'sends its call under the id of the call, with the page the user is on' },
      { file: client, title: 'repeat a read after broken connections, under the same id' },
    ],
  },
  {
    id: 'extending-2-04',
    tests: [
      { file: client, title: 'repeat a read after 502, 503 and 504, under the same id' },
      { file: client, title: 'repeat a write whose connection was never established, under the same id' },
      { file: client, title: 'end with an exception of the tool: a read that meets 500' },
    ],
  },
  {
    id: 'extending-2-05',
    tests: [
      {
        file: client,
        title:
          'never repeat a write that may have arrived: its outcome is unknown (contract/confirmations.md#the-journal)',
      },
    ],
  },
  {
    id: 'extending-2-06',
    tests: [{ file: client, title: 'is paused for 10 s after 5 failures in a row, and paused again by the next one' }],
  },
  {
    id: 'extending-2-07',
    tests: [
      { file: callback, title: 'is asked for with its ETag, and taken over when it changes' },
      { file: callback, title: 'is kept as it was when it is not valid any more' },
      { file: callback, title: 'is kept as it was when it cannot be fetched any more' },
    ],
  },
  {
    id: 'extending-2-08',
    tests: [
      { file: callback, title: 'is one signed request with everything about its call, and the model reads the result' },
    ],
  },
  {
    id: 'extending-2-09',
    tests: [{ file: callback, title: 'answers another status: the user reads the status and never the body' }],
  },
  {
    id: 'extending-2-10',
    tests: [
      { file: callback, title: 'redirects: nobody follows' },
      { file: callback, title: 'answers more than 1 MiB' },
    ],
  },
  {
    id: 'extending-2-12',
    tests: [
      { file: changed, title: 'does not run, and the next turn asks for the new one' },
      { file: changed, title: 'does not run when it is gone' },
      {
        file: changed,
        title: 'runs when only its spelling is another, or what decides neither what is shown nor what runs',
      },
      { file: changed, title: 'runs in the turn that goes on, when it stays the same' },
      {
        file: changed,
        title: 'does not run in the turn that goes on, when it is another one: its question is withdrawn',
      },
      { file: changed, title: 'when its call was cut off, the call %s, when it %s' },
    ],
  },
];
