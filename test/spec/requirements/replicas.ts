import type { Requirement } from '../requirement.ts';

const scaleOut = 'test/unit/config/scale-out.test.ts';
const rows = 'test/unit/adapters/stores/replica-rows.test.ts';
const recovery = 'test/unit/app/replicas/recovery.test.ts';
const takenOver = 'test/unit/app/replicas/taken-over.test.ts';

/** Several servers that serve as one. */
export const replicaRequirements: readonly Requirement[] = [
  {
    id: 'configuration-5-70',
    tests: [
      { file: scaleOut, title: 'is off by default, for one server' },
      { file: scaleOut, title: 'may be %s' },
      { file: scaleOut, title: 'may have their keys in a file, and one server needs nothing' },
    ],
  },
  {
    id: 'configuration-5-71',
    tests: [
      { file: scaleOut, title: 'may not be %s' },
      { file: scaleOut, title: 'takes no address it would not understand, and shows no part of it: %s' },
      { file: scaleOut, title: 'shows nothing of %s either' },
    ],
  },
  { id: 'configuration-5-72', tests: [{ file: scaleOut, title: 'do not start without %s' }] },
  {
    id: 'configuration-5-80',
    tests: [
      { file: recovery, title: 'is done every 5 s, step by step, and never twice at the same time' },
      { file: recovery, title: 'goes on after a step that fails, and logs that once until it works' },
      {
        file: recovery,
        title: 'ends as soon as the server is about to end, and the end waits for the step under way',
      },
      { file: recovery, title: 'is never done where one server at a time uses the storage' },
      { file: rows, title: 'are given up once when their replica has died, and left alone while it lives' },
    ],
  },
  {
    id: 'configuration-5-81',
    tests: [
      { file: rows, title: 'are given up once when their replica has died, and left alone while it lives' },
      { file: rows, title: 'stay with the turn where that is kept: whoever takes it up goes on with them' },
      { file: rows, title: 'that were running are told to every replica for a while' },
    ],
  },
  {
    id: 'configuration-5-82',
    tests: [
      {
        file: takenOver,
        title: 'tells what its row says when the replica was taken for dead meanwhile, and so does every replica once',
      },
      { file: rows, title: 'of a replica that was only silent are over for it too' },
    ],
  },
  {
    id: 'configuration-5-83',
    tests: [
      {
        file: takenOver,
        title: 'are not spent by each of them: the calls of all side by side take what there is',
      },
      { file: takenOver, title: 'that another replica holds are waited for' },
      { file: takenOver, title: 'count what was spent once the storage takes it again' },
      { file: rows, title: 'count once what a dead replica has held, and leave held what living ones hold' },
      { file: rows, title: 'take no settlement any more of a call that was counted already' },
    ],
  },
  {
    id: 'configuration-5-84',
    tests: [
      { file: rows, title: 'are taken over by one replica when theirs has died, and by none while it lives' },
      { file: takenOver, title: 'is looked through for facts once, by one replica' },
    ],
  },
  {
    id: 'configuration-5-85',
    tests: [
      {
        file: takenOver,
        title: 'is a task of another agent: it is left alone while its replica lives, and fails once that is dead',
      },
      { file: rows, title: 'are taken over by one replica when theirs has died, and changed by no other' },
      { file: rows, title: 'go to the replica that has taken up their turn, and to nobody before' },
    ],
  },
  {
    id: 'configuration-5-86',
    tests: [
      {
        file: takenOver,
        title: 'is told to webhooks: no delivery by two replicas at once, and that of a dead one again',
      },
    ],
  },
  {
    id: 'configuration-5-87',
    tests: [
      { file: rows, title: 'are stored by each replica for itself, and read together' },
      {
        file: takenOver,
        title: 'are the sum of what all replicas have stored, and of what this one has not stored yet',
      },
    ],
  },
];
