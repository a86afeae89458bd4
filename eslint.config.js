/**
 * The rules that need no types. Those that need them are in `.oxlintrc.json`: its program checks types as well, in a fifth of the time, and
 * without them what is kept of a file stays true however others change.
 */
import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';
import { houseRules } from './scripts/lint-rules.ts';

/** Syntax that is banned everywhere in `src`, each with its reason. */
const bannedInSource = [
  {
    selector: 'ExportDefaultDeclaration',
    message: 'Use a named export: a default one has another name in every file that imports it.',
  },
  {
    selector: 'ExportAllDeclaration',
    message: 'Name what you export: adding to a public surface is a decision, not a side effect.',
  },
  {
    selector: 'TSEnumDeclaration',
    message: 'Use a union of string literals: it needs no run-time code and is what travels on the wire.',
  },
  {
    selector:
      ':matches(ClassDeclaration, TSInterfaceDeclaration, TSTypeAliasDeclaration)[id.name=/(Impl|Manager|Utils?|Common|Base|Data|Info)$/]',
    message: 'Name it after what it does or what makes it different; this suffix says nothing.',
  },
  {
    selector: 'TSInterfaceDeclaration[id.name=/^I[A-Z][a-z]/]',
    message: 'Interfaces carry no prefix.',
  },
  {
    selector: 'CatchClause[param.name=/^(e|err|ex)$/]',
    message: 'Spell it out: `error`.',
  },
  {
    selector: "CallExpression[callee.object.name='JSON'][callee.property.name='parse'] > TSAsExpression",
    message: 'Outside data is unknown until a schema has spoken.',
  },
];

const processExit = {
  selector: "CallExpression[callee.object.name='process'][callee.property.name='exit']",
  message: 'Only main.ts ends the process: everything else returns or throws, so that what is open gets closed.',
};

/** Rooms whose code is run again with the record of a turn (docs/architecture.md, "Rules for code that is replayed"). */
const replayedRooms = ['turn', 'agents', 'calls', 'teams'].map((room) => `src/core/${room}/**`);

const recordedInstead =
  'Between steps a turn depends on its request and its record alone: run again it would take another way. ';

const notBetweenSteps = {
  'no-restricted-globals': [
    'error',
    ...[
      ['Date', 'Take the time of `services.clock` inside a step.'],
      ['performance', 'Take the time of `services.clock` inside a step.'],
      ['crypto', 'Draw ids with `randomId` inside a step.'],
      ['process', 'What the environment decides is read by `config` and recorded when the turn begins.'],
    ].map(([name, advice]) => ({ name, message: recordedInstead + advice })),
  ],
  'no-restricted-properties': [
    'error',
    {
      object: 'Math',
      property: 'random',
      message: `${recordedInstead}Draw ids with \`randomId\` inside a step.`,
    },
    {
      object: 'Promise',
      property: 'all',
      message:
        'Use `joined`: the first fault leaves the other branches behind, which then speak after the end of the turn.',
    },
    ...['race', 'any'].map((property) => ({
      object: 'Promise',
      property,
      message: `${recordedInstead}Who was first is in no record; for a Stop there is \`untilStopped\`.`,
    })),
  ],
};

/** `randomId` has its places, each inside a step or before the turn begins; a new one is thought about here. */
const notWithoutPlace = (...allowed) => [
  'error',
  {
    patterns: [
      {
        regex: '^(node:)?(crypto|process|perf_hooks|timers.*)$',
        message: `${recordedInstead}Use what \`base\` and \`ports\` offer.`,
      },
      ...(allowed.includes('randomId')
        ? []
        : [
            {
              regex: '/random-id\\.ts$',
              message:
                'An id that is drawn again is another id. Draw it inside a step, and name the file in eslint.config.js.',
            },
          ]),
    ],
  },
];

/** Slips of the pen that hold in any language level. */
const plainMistakes = Object.fromEntries(
  [
    'eqeqeq',
    'no-async-promise-executor',
    'no-constant-condition',
    'no-control-regex',
    'no-dupe-else-if',
    'no-duplicate-case',
    'no-empty',
    'no-empty-character-class',
    'no-fallthrough',
    'no-misleading-character-class',
    'no-self-assign',
    'no-self-compare',
    'no-unsafe-finally',
    'no-useless-catch',
    'no-useless-escape',
    'no-var',
    'prefer-const',
  ].map((rule) => [rule, 'error']),
);

export default defineConfig(
  {
    ignores: [
      'dist/',
      'node_modules/',
      'coverage/',
      'test-results/',
      '.cache/',
      'data/',
      'site/',
      'release/',
      'config/helper.d.ts',
    ],
  },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  {
    files: ['**/*.ts', '**/*.tsx'],
    extends: [tseslint.configs.strict],
    plugins: { house: houseRules },
    rules: {
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      // `const { secret, ...shown } = all` is the plain way to leave something out.
      '@typescript-eslint/no-unused-vars': [
        'error',
        { ignoreRestSiblings: true, argsIgnorePattern: '^_', varsIgnorePattern: '^_' },
      ],
      'id-denylist': ['error', 'msg', 'req', 'res', 'cfg', 'opts', 'tmp', 'ctx', 'evt', 'cb', 'btn', 'conn', 'idx'],
      'max-params': ['error', 3],
      'max-lines': ['error', 400],
      'max-lines-per-function': ['error', { max: 60, skipComments: true, skipBlankLines: true }],
      'no-console': 'error',
      'no-restricted-syntax': ['error', ...bannedInSource, processExit],
      ...plainMistakes,
      'house/file-name': 'error',
    },
  },
  {
    files: ['src/**/*.ts', 'src/**/*.tsx'],
    rules: {
      '@typescript-eslint/explicit-module-boundary-types': 'error',
      'house/explained-assertion': 'error',
      'house/documented-export': 'error',
    },
  },
  {
    files: replayedRooms,
    rules: { ...notBetweenSteps, 'no-restricted-imports': notWithoutPlace() },
  },
  {
    files: [
      // Ids of a turn and a conversation, drawn before any step.
      'src/core/turn/{start-turn,conversation/conversation}.ts',
      // Ids of calls: inside the step of their reply.
      'src/core/agents/ask-model.ts',
      // Ids of calls that the provider makes: inside the step of the reply that it writes.
      'src/core/agents/hosted/hosted-activity.ts',
      // Ids of questions and cards: inside the step of their call.
      'src/core/calls/{ask,approve-by-rule,deliver-result}.ts',
    ],
    rules: { 'no-restricted-imports': notWithoutPlace('randomId') },
  },
  {
    // Around turns, never inside one: their end in this process, and their beginning in the next.
    files: ['src/core/turn/kept/{drain,take-up}.ts'],
    rules: { 'no-restricted-properties': 'off' },
  },
  {
    files: [
      'src/cli/**',
      'src/main.ts',
      'scripts/**',
      'test/bench/**',
      'test/fault/run.ts',
      'test/stress/run.ts',
      'test/conformance/a2a/run.ts',
    ],
    rules: { 'no-console': 'off' },
  },
  {
    files: ['src/main.ts'],
    rules: { 'no-restricted-syntax': ['error', ...bannedInSource] },
  },
  {
    // A component's markup is one expression that reads better whole than cut to a number.
    files: ['src/widget/**/*.tsx', 'src/dashboard/**/*.tsx'],
    rules: { 'max-lines-per-function': ['error', { max: 90, skipComments: true, skipBlankLines: true }] },
  },
  {
    // A test is a list of sentences; its size is the size of what it tests, without the ids of what it proves.
    files: ['test/**/*.ts'],
    rules: {
      'max-lines': ['error', { max: 500, skipComments: true }],
      'max-lines-per-function': 'off',
      // The columns of a table of cases.
      'max-params': 'off',
      'no-restricted-syntax': 'off',
    },
  },
  {
    // Benches measure time: that is what they are for.
    files: ['test/**/*.ts'],
    ignores: ['test/bench/**'],
    rules: { 'house/no-wall-time': 'error' },
  },
  {
    files: ['scripts/**', 'test/**', '*.ts', 'plugins/**'],
    rules: { 'no-restricted-syntax': 'off' },
  },
  {
    // Errors keep the order of the built-in one: what is new comes first, then message and options.
    files: ['src/core/errors/**'],
    rules: { 'max-params': ['error', 4] },
  },
  { files: ['**/*.js', '**/*.mjs', '**/*.cjs'], rules: plainMistakes },
);
