import type { Requirement } from '../requirement.ts';

const policy = 'test/integration/models-policy.test.ts';
const models = 'test/integration/models.test.ts';
const limits = 'test/integration/models-limits.test.ts';
const demo = 'test/unit/adapters/models/demo/demo-chat-model.test.ts';
const wholeTurn = 'test/integration/whole-turn.test.ts';
const runTurn = 'test/unit/core/turn/run-turn.test.ts';

/** Models. */
export const configurationSection3: readonly Requirement[] = [
  {
    id: 'configuration-3-01',
    tests: [
      { file: policy, title: 'neither retries nor falls back after a text' },
      { file: policy, title: 'neither retries nor falls back after a tool call' },
    ],
  },
  {
    id: 'configuration-3-02',
    tests: [
      { file: models, title: 'is given up after its longest silence before the first byte, and its socket is closed' },
      { file: limits, title: 'is given up after its total time when it sends only comments, and its socket is closed' },
    ],
  },
  {
    id: 'configuration-3-03',
    tests: [
      {
        file: limits,
        title: 'is unavailable after a line over its limit that has not ended, and its socket is closed',
      },
      { file: limits, title: 'is unavailable after a reply over its limit, counting text, and its socket is closed' },
      { file: limits, title: 'takes a reply and a line of exactly the longest length' },
    ],
  },
  {
    id: 'configuration-3-50',
    tests: [
      {
        file: 'test/integration/log-of-faults.test.ts',
        title: 'says of a key that is refused with %i what helps, which is not to try again',
      },
    ],
  },
  {
    id: 'configuration-3-04',
    tests: [{ file: policy, title: 'keeps to its concurrency, in order, and lets a waiting call be stopped' }],
  },
  {
    id: 'configuration-3-05',
    tests: [{ file: wholeTurn, title: "closes the model's socket within 100 ms of POST /helper/cancel" }],
  },
  {
    id: 'configuration-3-06',
    tests: [
      { file: demo, title: 'gives the same answer to the same conversation' },
      { file: policy, title: 'loads no LangChain and no HTTP client for the demo model' },
    ],
  },
  {
    id: 'configuration-2-01',
    tests: [
      { file: runTurn, title: 'asks for an answer without tools after maxToolRounds' },
      { file: runTurn, title: 'fails as tool_loop_limit when the model calls tools all the same' },
    ],
  },
];
