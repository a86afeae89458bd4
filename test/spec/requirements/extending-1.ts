import type { Requirement } from '../requirement.ts';

const layouts = 'test/unit/adapters/plugin-directory/find/plugin-layouts.test.ts';
const faults = 'test/unit/adapters/plugin-directory/plugin-faults.test.ts';
const lifecycle = 'test/unit/adapters/plugin-directory/plugin-lifecycle.test.ts';
const overlooked = 'test/unit/adapters/plugin-directory/find/overlooked.test.ts';
const tools = 'test/unit/adapters/plugin-directory/read/plugin-tools.test.ts';
const destructive = 'test/unit/core/confirmations/destructive.test.ts';
const runTurn = 'test/unit/core/turn/run-turn.test.ts';

/** Plugins, their actions and results. */
export const extendingSection1: readonly Requirement[] = [
  {
    id: 'extending-1-01',
    tests: [
      { file: layouts, title: 'a folder with index.js is a plugin' },
      { file: layouts, title: 'a package.json with exports is a plugin' },
      { file: layouts, title: 'a single file NAME.plugin.mjs is a plugin' },
      { file: layouts, title: 'node_modules, dot files, folders without an entry and other files are passed over' },
    ],
  },
  {
    id: 'extending-1-02',
    tests: [
      { file: layouts, title: 'TypeScript runs without a build step, its neighbours and types from helper included' },
    ],
  },
  {
    id: 'extending-1-03',
    tests: [
      { file: layouts, title: 'is this server, for a plugin without a package.json or node_modules' },
      { file: layouts, title: 'is this server, for a plugin with another helper in its node_modules' },
    ],
  },
  {
    id: 'extending-1-04',
    tests: [{ file: layouts, title: 'plugins are ordered by directory, then by name (contract/plugins.md#plugins)' }],
  },
  {
    id: 'extending-1-05',
    tests: [
      { file: faults, title: 'one that throws while loading' },
      { file: lifecycle, title: 'a start that throws fails naming the plugin and its file, and stop is not called' },
    ],
  },
  {
    id: 'extending-1-06',
    tests: [
      { file: faults, title: 'two plugins of one name' },
      { file: faults, title: 'two actions of one name, in two plugins' },
      { file: faults, title: 'two pages and two models of one name' },
    ],
  },
  {
    id: 'extending-1-07',
    tests: [
      { file: faults, title: 'are checked against configSchema: a wrong type' },
      { file: faults, title: 'never have their value told: it may be a secret' },
    ],
  },
  {
    id: 'extending-1-08',
    tests: [
      { file: overlooked, title: 'a directory without a plugin is said, with what makes one (HLP1015)' },
      { file: overlooked, title: 'orders.js is not loaded, and it is said what to do (HLP1014)' },
    ],
  },
  {
    id: 'extending-1-09',
    tests: [
      { file: tools, title: 'each fault is one line naming the argument: several at once' },
      { file: tools, title: 'each fault is one line naming the argument: a wrong type, never coerced' },
    ],
  },
  {
    id: 'extending-1-10',
    tests: [{ file: tools, title: 'is given its checked arguments, the context, and itself as `this`' }],
  },
  { id: 'extending-1-11', tests: [{ file: tools, title: "is not given the caller's own credential" }] },
  {
    id: 'extending-1-12',
    tests: [
      { file: tools, title: 'data' },
      { file: tools, title: 'card()' },
      { file: tools, title: 'navigate()' },
      { file: tools, title: 'uiAction()' },
      { file: tools, title: 'a BigInt is an exception of the tool that says so' },
    ],
  },
  {
    id: 'extending-1-50',
    tests: [
      { file: tools, title: 'content()' },
      { file: tools, title: 'content with a fault is an exception of the tool that says so: %s' },
      {
        file: 'test/integration/mcp-server.test.ts',
        title: 'gives the model of a turn the texts of the parts, and a word for all else',
      },
    ],
  },
  {
    id: 'extending-1-13',
    tests: [
      { file: tools, title: 'data that only looks like a card' },
      { file: tools, title: 'a copy of a card' },
    ],
  },
  {
    id: 'extending-1-14',
    tests: [
      { file: destructive, title: 'says so in its question, which nobody can ask not to be asked again' },
      { file: destructive, title: 'is approved by no rule' },
    ],
  },
  {
    id: 'extending-1-15',
    tests: [
      { file: destructive, title: 'is told again by the question of a restored snapshot' },
      { file: destructive, title: 'another question does not have the member at all' },
    ],
  },
  {
    id: 'extending-1-16',
    tests: [
      { file: faults, title: 'one that has an action with a bad name' },
      { file: faults, title: 'one that takes the reserved tool name remember' },
      { file: faults, title: 'one that takes the reserved tool name page_anything' },
    ],
  },
  {
    id: 'extending-1-17',
    tests: [
      { file: tools, title: 'zod: shown as JSON Schema, checked, and parsed for execute' },
      { file: tools, title: 'a draft-07 schema keeps its meaning, and its dialect is not shown to the model' },
      { file: faults, title: 'one that has an action with a pattern that can backtrack without bound' },
    ],
  },
  {
    id: 'extending-1-18',
    tests: [{ file: runTurn, title: 'gives up a slow read-only tool after its timeout and tells the model' }],
  },
  {
    id: 'extending-1-19',
    tests: [
      { file: tools, title: 'that throws is an exception of the tool' },
      { file: tools, title: 'that rejects is an exception of the tool' },
    ],
  },
  { id: 'extending-1-20', tests: [{ file: runTurn, title: 'cuts a result over 256 KiB for the model and says so' }] },
  {
    id: 'extending-1-21',
    tests: [
      { file: tools, title: 'a cycle is an exception of the tool that says so' },
      { file: tools, title: 'a promise inside is an exception of the tool that says so' },
    ],
  },
];
