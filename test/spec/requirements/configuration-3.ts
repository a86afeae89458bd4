import type { Requirement } from '../requirement.ts';

const policy = 'test/integration/models-policy.test.ts';
const models = 'test/integration/models.test.ts';
const limits = 'test/integration/models-limits.test.ts';
const demo = 'test/unit/adapters/models/demo/demo-chat-model.test.ts';
const wholeTurn = 'test/integration/whole-turn.test.ts';
const fit = 'test/unit/core/history/fit-window.test.ts';
const sent = 'test/unit/core/turn/sent-history.test.ts';
const windows = 'test/integration/models-window.test.ts';
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
    tests: [
      {
        file: wholeTurn,
        title: "closes the model's socket at POST /helper/cancel, long before the model's own time limit",
      },
    ],
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
  {
    id: 'configuration-3-60',
    tests: [
      { file: windows, title: 'is 128,000 tokens unless set: this conversation is sent whole' },
      { file: windows, title: 'is never exceeded: older turns are left out, which the log says' },
    ],
  },
  {
    id: 'configuration-3-61',
    tests: [
      { file: fit, title: 'counts the answer' },
      { file: fit, title: 'counts the instructions' },
      { file: fit, title: 'counts the tools' },
      { file: fit, title: 'counts a picture of the message' },
      { file: fit, title: 'keeps an eighth of the window free for the answer where maxOutputTokens is left out' },
    ],
  },
  {
    id: 'configuration-3-62',
    tests: [
      { file: sent, title: 'is sent what fits, without compaction' },
      {
        file: fit,
        title: 'makes older results of the same turn one line, and never those that the model has not read',
      },
    ],
  },
  {
    id: 'configuration-3-63',
    tests: [
      {
        file: sent,
        title: 'sends older results of its own as one line, and those that the model has not read whole',
      },
    ],
  },
  {
    id: 'configuration-3-64',
    tests: [
      {
        file: fit,
        title: 'never parts a call from its result, keeps the newest turn and what is unread, and fits or refuses',
      },
    ],
  },
  {
    id: 'configuration-3-65',
    tests: [
      {
        file: sent,
        title: 'is refused where its message alone does not fit, in words of its own, before the model is called',
      },
      { file: sent, title: 'does not count by the rate when it is refused' },
      { file: windows, title: 'refuses a message over the window of its model, in the language of the server' },
    ],
  },
  {
    id: 'configuration-3-66',
    tests: [{ file: sent, title: 'fails where results that the model has asked for cannot fit' }],
  },
  {
    id: 'configuration-3-67',
    tests: [
      { file: windows, title: 'of a fallback may be smaller: each is sent what fits its own' },
      { file: windows, title: 'that is too small for the turn passes it to a fallback, uncalled and uncounted' },
      { file: windows, title: 'that is too small in every model says so, unless a larger one has failed' },
    ],
  },
  {
    id: 'configuration-3-68',
    tests: [
      { file: windows, title: 'is estimated by the usage that the model reports' },
      {
        file: 'test/unit/core/history/token-estimates.test.ts',
        title: 'follows what each model reports, step by step',
      },
    ],
  },
  {
    id: 'configuration-3-69',
    tests: [
      {
        file: 'test/unit/config/rules.test.ts',
        title: 'refuses m: { provider: openai, model: x, apiKey: k, maxOutputTokens: 2000, contextWindow: 2000 }',
      },
    ],
  },
];
