import type { Requirement } from '../requirement.ts';

const suspendedTurns = 'test/unit/core/confirmations/suspended-turns.test.ts';
const modelsPolicy = 'test/integration/models-policy.test.ts';
const runTurn = 'test/unit/core/turn/run-turn.test.ts';
const wholeTurn = 'test/integration/whole-turn.test.ts';
const models = 'test/integration/models.test.ts';
const opsChannel = 'test/unit/channels/ops/ops-channel.test.ts';
const signalrClient = 'test/conformance/signalr-client.test.ts';
const liveSession = 'test/unit/core/sessions/live-session.test.ts';
const sse = 'test/integration/sse.test.ts';
const signalrFrames = 'test/conformance/signalr-frames.test.ts';
const callback = 'test/integration/callback.test.ts';
const callbackClient = 'test/unit/adapters/action-callback/callback-client.test.ts';
const retryDelay = 'test/unit/adapters/action-callback/retry-delay.test.ts';
const cli = 'test/integration/cli.test.ts';
const storageFaults = 'test/integration/storage-faults.test.ts';

/** The statements whose ids begin with `wire-10`. */
export const wireSection10: readonly Requirement[] = [
  {
    id: 'wire-10-01',
    tests: [
      { file: modelsPolicy, title: 'retries a transient fault and counts one call' },
      { file: modelsPolicy, title: 'neither retries nor falls back after a text' },
    ],
  },
  {
    id: 'wire-10-02',
    tests: [{ file: modelsPolicy, title: 'falls back before the first token, in order, and counts each model' }],
  },
  {
    id: 'wire-10-03',
    tests: [
      { file: runTurn, title: 'ends the turn as failed with model_unavailable, and the next message works' },
      { file: wholeTurn, title: 'answers 500' },
      { file: wholeTurn, title: 'cuts the stream' },
      { file: wholeTurn, title: 'sends broken JSON' },
      { file: wholeTurn, title: 'hangs' },
    ],
  },
  {
    id: 'wire-10-04',
    tests: [
      { file: models, title: 'a cut tool call' },
      { file: models, title: 'drops the calls of a reply that was cut at the length limit: half a call must not run' },
    ],
  },
  {
    id: 'wire-10-05',
    tests: [{ file: opsChannel, title: 'is not ready while the server drains (contract/operations.md#probes)' }],
  },
  {
    id: 'wire-10-06',
    tests: [
      {
        file: signalrClient,
        title: 'is told that the server drains, and comes back to another one (contract/restarts.md#stopping)',
      },
    ],
  },
  {
    id: 'wire-10-07',
    tests: [
      { file: liveSession, title: 'lets running turns finish within the grace and refuses new ones' },
      { file: sse, title: 'answers 503 with Retry-After while draining' },
    ],
  },
  {
    id: 'wire-10-08',
    tests: [{ file: liveSession, title: 'lets running turns finish within the grace and refuses new ones' }],
  },
  {
    id: 'wire-10-09',
    tests: [{ file: liveSession, title: 'ends what is left as server_draining' }],
  },
  {
    id: 'wire-10-10',
    tests: [{ file: signalrFrames, title: 'sends Close with allowReconnect when the server closes' }],
  },
  {
    id: 'wire-10-11',
    tests: [
      {
        file: cli,
        title:
          'announces itself as a log line, serves, is healthy, and exits with 0 on SIGTERM (contract/operations.md#probes)',
      },
      { file: liveSession, title: 'is over at once when nothing runs' },
    ],
  },
  {
    id: 'wire-10-12',
    tests: [
      {
        file: 'test/integration/storage-faults.test.ts',
        title: 'tells a deleted folder within 5 s, and recovers when it is back',
      },
      {
        file: 'test/integration/storage-faults.test.ts',
        title: 'tells a replaced database within 5 s, and writes nothing into it',
      },
    ],
  },
  {
    id: 'wire-10-13',
    tests: [
      {
        file: callback,
        title: 'is away: user and model are told that the system is unavailable (contract/plugins.md#callbacks)',
      },
      { file: callbackClient, title: 'is paused for 10 s after 5 failures in a row, and paused again by the next one' },
    ],
  },
  {
    id: 'wire-10-14',
    tests: [
      { file: callback, title: 'is fetched until the first success, and /readyz is 503 meanwhile' },
      { file: retryDelay, title: 'is asked for again after 1, 2, 4 and at last every 30 seconds' },
    ],
  },
  {
    id: 'wire-10-15',
    tests: [
      {
        file: suspendedTurns,
        title:
          'is not stopped by a process that is about to leave: it says so, whatever the turn is named by (contract/restarts.md#stopping)',
      },
      {
        file: suspendedTurns,
        title: 'is not answered by a process that is about to leave: it says so, and the next one takes the answer',
      },
    ],
  },
  {
    id: 'wire-10-16',
    tests: [
      { file: storageFaults, title: 'tells a disk that answers with %s within 5 s, serves on, and recovers' },
      { file: storageFaults, title: 'tells a deleted folder within 5 s, and recovers when it is back' },
      { file: storageFaults, title: 'answers /healthz and chats while a sync of the disk takes two seconds' },
    ],
  },
];
