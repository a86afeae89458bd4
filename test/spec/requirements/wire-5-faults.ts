import type { Requirement } from '../requirement.ts';

const randomFaults = 'test/fault/random-faults.test.ts';
const failingStorage = 'test/fault/failing-storage.test.ts';
const everything = {
  file: randomFaults,
  title:
    'runs no write without its approval and none twice, tells nothing that is not so, and tells later how all ended',
};

/** The statements about failures of the process and of its storage. */
export const wireSection5Faults: readonly Requirement[] = [
  {
    id: 'wire-5-83',
    tests: [
      everything,
      { file: failingStorage, title: 'once its action has run keeps the outcome that was told (%s)' },
    ],
  },
  {
    id: 'wire-5-84',
    tests: [
      everything,
      { file: failingStorage, title: 'at every step is told to its end by the next one (%s)' },
      {
        file: failingStorage,
        title: 'after its Stop was answered is over: its question takes no later approval (%s)',
      },
    ],
  },
  {
    id: 'wire-5-86',
    tests: [
      {
        file: 'test/integration/mcp-restarts.test.ts',
        title:
          'a turn whose server tells its tools late is found by a client that is back at once, and takes its answer',
      },
    ],
  },
  {
    id: 'wire-5-85',
    tests: [
      everything,
      {
        file: failingStorage,
        title: 'at any write of an approval is told as it is: what was told not to have run never runs (%s)',
      },
      { file: failingStorage, title: 'since the disk is full keeps to what it told (%s)' },
      {
        file: failingStorage,
        title:
          'while it is stopped is not told to be stopped, and an approval in a later process is told the truth (%s)',
      },
    ],
  },
];
