/** Which room may know which: one rule per sentence of CONTRIBUTING.md, "Layers". Type-only imports count like all others. */
const forbid = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });

const packages = ['npm', 'npm-dev', 'npm-optional', 'npm-peer', 'npm-bundled', 'npm-no-pkg', 'npm-unknown'];
const app = 'app(/|\\.ts$)';

/** Rooms by what of `src` they may import besides themselves. */
const room = (name, from, allowed, comment) =>
  forbid(name, comment, { path: from }, { path: '^src/', pathNot: allowed.map((path) => `^src/${path}`) });

/** A package that has its place: everything else reaches it through a port. */
const packageOnlyIn = (name, pattern, places) =>
  forbid(
    name,
    `these packages are known in ${places.join(', ')} only`,
    { path: '^src/', pathNot: places.map((place) => `^src/${place}`) },
    { path: `(^|node_modules/)${pattern}` },
  );

/**
 * The floors of the core, top to bottom, and what each holds: it knows only those below it. A new room gets its place here.
 * The roof knows them all.
 */
const floors = [
  ['create-assistant.ts', 'the assistant of this process'],
  ['replicas', 'the assistant of a server that is one of several replicas'],
  ['assistant.ts', 'what channels may ask of the core'],
  ['erasure', 'how all that is kept of a user is erased'],
  ['sessions', 'the conversation of a connection, its queue, `Resume`, snapshots'],
  ['turn', 'one message from its start to its end: run, stop, take-up, drain'],
  ['agents', 'the loop of every agent: model, tool calls, outcomes, reply'],
  ['direct', 'calls of actions that come without a turn'],
  ['calls', 'the one door to a tool: check, ask, run, tell'],
  ['confirmations', 'open questions, approval rules, what the journal says of them'],
  ['conversations', 'conversations that are kept for their users'],
  ['tasks', 'tasks of other agents that are kept for them'],
  ['record', 'the steps of a turn, its events, and their tape into the store'],
  ['limits', 'what a caller may send and hold at a time'],
  ['budgets', 'what may be spent on models, and what was'],
  ['memory', 'what is remembered about users across conversations'],
  ['knowledge', 'documents that a message is answered with'],
  ['guardrails', 'checks of messages, and what a turn does before their verdict'],
  ['routing', 'which model answers a message'],
  ['skills', 'instructions that a model loads when a task needs them'],
  ['history', 'how much of a conversation a model is sent'],
  ['tool-filter', 'which tools the model is sent with a message'],
  ['ui-actions', 'what a page offers to the model, and how it is asked'],
  ['tour', 'what the onboarding tour shows'],
  ['tools', 'what a tool, its outcome and the policy over it are'],
  ['prompt', 'instructions and what stands beside a message'],
  ['provenance', 'which untrusted texts a model has read'],
  ['request', 'a message with its caller, its channel and its page'],
  ['classifier', 'small questions of the server to a model'],
  ['identity', 'who calls, and whose something is'],
  ['ports', 'what is outside the process, as interfaces'],
  ['events', 'what a turn tells'],
  ['pages', 'pages of the host and their addresses'],
  ['cards', 'what a card may hold'],
  ['language', 'texts of the server in ten languages'],
  ['errors', 'codes and classes of faults'],
  ['base', 'plain functions that know nothing of the product'],
].map(([name, holds]) => {
  const path = name.endsWith('.ts') ? `^src/core/${name.replace('.', '\\.')}$` : `^src/core/${name}/`;
  return { name, holds, path };
});

/** One rule for each floor under the roof; `docs/architecture.md` has its sentence. */
const onlyLooksDown = floors
  .slice(1)
  .map(({ name, holds, path }, index) =>
    forbid(
      `core-floor-${name.replace('.ts', '')}`,
      holds,
      { path },
      { path: floors.slice(0, index + 1).map((above) => above.path) },
    ),
  );

module.exports = {
  forbidden: [
    forbid('no-cycles', 'type-only cycles count too', {}, { circular: true }),
    forbid('nothing-unresolved', 'every import leads somewhere', { path: '^src/' }, { couldNotResolve: true }),

    room('main-knows-the-cli', '^src/main\\.ts$', ['cli/'], 'main: argv to command, nothing else'),
    room(
      'cli-knows-app-and-config',
      '^src/cli/',
      ['cli/', app, 'config/', 'core/(base|errors)/'],
      'a command calls the app',
    ),
    room('index-is-the-public-surface', '^src/index\\.ts$', [app, 'plugin-api/'], 'what the package exports'),
    forbid('nobody-knows-main', 'main is the start, not a module', { path: '^src/' }, { path: '^src/main\\.ts$' }),
    forbid(
      'nobody-knows-the-cli',
      'only main starts a command',
      { path: '^src/', pathNot: '^src/(cli/|main\\.ts$)' },
      { path: '^src/cli/' },
    ),
    forbid(
      'the-app-is-the-top',
      'only the cli and the public surface know the composition root',
      { path: '^src/', pathNot: [`^src/${app}`, '^src/(cli/|index\\.ts$)'] },
      { path: `^src/${app}` },
    ),

    room('config-knows-core', '^src/config/', ['config/', 'core/'], 'settings are built from the core’s types'),
    forbid(
      'config-knows-only-core-types',
      'values of the core are for the app to wire; its faults and plain functions serve everywhere',
      { path: '^src/config/' },
      { path: '^src/core/', pathNot: '^src/core/(base|errors)/', dependencyTypesNot: ['type-only'] },
    ),
    forbid(
      'config-uses-ajv-and-yaml',
      'reading a file needs a parser and a validator, no more',
      { path: '^src/config/' },
      { dependencyTypes: packages, pathNot: 'node_modules/(ajv|ajv-formats|yaml|json-schema-to-ts|json-schema)/' },
    ),

    room(
      'core-knows-only-core',
      '^src/core/',
      ['core/'],
      'the product does not know how it is reached or what it reaches',
    ),
    ...onlyLooksDown,
    forbid(
      'every-room-of-the-core-has-a-floor',
      'a new room gets its place in the list of floors',
      { path: '^src/core/', pathNot: floors.map(({ path }) => path) },
      {},
    ),
    forbid('core-has-no-packages', 'the product is plain code', { path: '^src/core/' }, { dependencyTypes: packages }),
    forbid(
      'core-does-no-io',
      'what is outside the process is behind a port',
      { path: '^src/core/' },
      { dependencyTypes: ['core'], pathNot: '^(node:)?(crypto|timers/promises)$' },
    ),

    room('channels-know-core-and-wire', '^src/channels/', ['channels/', 'core/', 'wire/'], 'a channel only translates'),
    forbid(
      'channels-are-strangers',
      'what two channels share stands in channels/shared',
      { path: '^src/channels/([^/]+)/' },
      { path: '^src/channels/', pathNot: '^src/channels/($1|shared)/' },
    ),
    forbid(
      'channels-use-fastify',
      'a channel is a Fastify plugin and needs no other package',
      {
        path: '^src/channels/',
        pathNot: ['^src/channels/hub/protocol/codec/message-pack-codec', '^src/channels/(mcp|a2a)/'],
      },
      { dependencyTypes: packages, pathNot: 'node_modules/(fastify|@fastify/[^/]+|ws|@types/ws)/' },
    ),
    forbid(
      'one-codec-uses-message-pack',
      'the package is known in the codec that speaks it',
      { path: '^src/', pathNot: '^src/channels/hub/protocol/codec/message-pack-codec' },
      { path: 'node_modules/@msgpack/' },
    ),
    forbid(
      'the-hub-protocol-stands-alone',
      'it could be published by itself: it knows nothing of assistants',
      { path: '^src/channels/hub/protocol/' },
      { path: '^src/', pathNot: '^src/channels/hub/protocol/' },
    ),
    forbid(
      'hub-codecs-know-no-connection',
      'they turn bytes into messages and back, whoever sent them',
      { path: '^src/channels/hub/protocol/codec/' },
      { path: '^src/channels/hub/protocol/(connection|transports)/' },
    ),
    forbid(
      'hub-connections-know-no-transport',
      'a connection is the same over each of them',
      { path: '^src/channels/hub/protocol/connection/' },
      { path: '^src/channels/hub/protocol/transports/' },
    ),

    room(
      'adapters-know-core-and-contracts',
      '^src/adapters/',
      ['adapters/', 'core/', 'wire/', 'plugin-api/'],
      'an adapter implements a port of the core',
    ),
    forbid(
      'adapters-are-strangers',
      'an adapter can be taken out without another noticing; what two share stands in adapters/shared',
      { path: '^src/adapters/([^/]+)/' },
      { path: '^src/adapters/', pathNot: '^src/adapters/($1|shared)/' },
    ),

    forbid('wire-is-a-leaf', 'shapes import nothing', { path: '^src/wire/' }, { pathNot: '^src/wire/' }),
    forbid(
      'plugin-api-is-a-leaf',
      'authors need nothing but it',
      { path: '^src/plugin-api/' },
      { pathNot: '^src/plugin-api/' },
    ),
    room(
      'widget-knows-wire',
      '^src/widget/',
      ['widget/', 'wire/'],
      'the browser shares shapes with the server, not code',
    ),
    forbid(
      'the-hub-client-stands-alone',
      'it speaks the protocol and knows nothing of assistants',
      { path: '^src/widget/transport/signalr/' },
      { path: '^src/', pathNot: '^src/widget/transport/signalr/' },
    ),
    forbid(
      'nobody-knows-the-widget',
      'it runs elsewhere',
      { path: '^src/', pathNot: '^src/widget/' },
      { path: '^src/widget/' },
    ),

    room(
      'dashboard-knows-wire',
      '^src/dashboard/',
      ['dashboard/', 'wire/'],
      'the browser shares shapes with the server, not code',
    ),
    forbid(
      'nobody-knows-the-dashboard',
      'it runs elsewhere',
      { path: '^src/', pathNot: '^src/dashboard/' },
      { path: '^src/dashboard/' },
    ),

    packageOnlyIn('fastify-stays-outside', '(fastify|@fastify)/', ['channels/', app, 'main\\.ts$']),
    packageOnlyIn('langchain-has-its-place', '@langchain/', [
      'adapters/models/',
      'adapters/embeddings/',
      'adapters/plugin-directory/',
    ]),
    packageOnlyIn('mcp-has-its-place', '@modelcontextprotocol/', ['channels/mcp/', 'adapters/mcp-client/']),
    packageOnlyIn('a2a-has-its-place', '@a2a-js/', ['channels/a2a/', 'adapters/a2a-client/']),
    packageOnlyIn('openapi-has-its-place', '@seriousme/', ['adapters/openapi/']),
    packageOnlyIn('html-has-its-place', 'parse5/', ['adapters/welcome-message/', 'adapters/knowledge/']),
    packageOnlyIn('tokens-have-their-place', 'jose/', ['adapters/identity/']),
    packageOnlyIn('opentelemetry-has-its-place', '@opentelemetry/', ['adapters/telemetry/']),
    packageOnlyIn('redis-has-its-place', 'ioredis/', ['adapters/bus/']),
    packageOnlyIn('sql-has-its-place', '(better-sqlite3|kysely|pg)/', ['adapters/stores/', 'adapters/knowledge/']),
    forbid(
      'no-dev-packages-at-run-time',
      'they are not in the image; the widget, the dashboard and the checker of patterns are built, so their packages are',
      { path: '^src/', pathNot: '^src/(widget/|dashboard/|adapters/shared/patterns/pattern-worker\\.ts$)' },
      { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    ),
    forbid(
      'src-does-not-know-tests',
      'tests and scripts know src',
      { path: '^src/' },
      { path: '^(test|scripts|plugins)/' },
    ),
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default', 'types'] },
  },
};
