import type { Requirement } from '../requirement.ts';

const config = 'test/unit/config/mcp-servers.test.ts';
const output = 'test/unit/cli/output.test.ts';
const reload = 'test/unit/docs/reload-guide.test.ts';
const calls = 'test/integration/mcp-servers.test.ts';
const programs = 'test/integration/mcp-programs.test.ts';
const status = 'test/integration/mcp-status.test.ts';
const tokens = 'test/integration/mcp-tokens.test.ts';
const misbehaving = 'test/integration/mcp-misbehaviour.test.ts';
const restarts = 'test/integration/mcp-restarts.test.ts';
const guide = 'test/integration/mcp-servers-guide.test.ts';
const questions = 'test/integration/mcp-questions.test.ts';
const ownLists = 'test/integration/mcp-own-lists.test.ts';
const sessions = 'test/unit/adapters/mcp-client/mcp-sessions.test.ts';
const list = 'test/unit/adapters/mcp-client/tool-list.test.ts';
const names = 'test/unit/adapters/mcp-client/tool-names.test.ts';
const results = 'test/unit/adapters/mcp-client/read-mcp-result.test.ts';
const tool = 'test/unit/adapters/mcp-client/mcp-tool.test.ts';

type Row = readonly [file: string, title: string];

const by = (id: string, ...rows: readonly Row[]): Requirement => ({
  id,
  tests: rows.map(([file, title]) => ({ file, title })),
});

const limits: Row = [sessions, 'are those of the contract'];
const bothEras: readonly Row[] = [
  [calls, 'that only read run without a question, over HTTP in the %s era'],
  [programs, 'start at their first use, in the %s era'],
];
const asked: readonly Row[] = ['old', 'new'].map((era) => [
  calls,
  `that want to ask the user are told that nobody answers, and the model is told what they wanted: ${era} era`,
]);
const once: Row = [calls, 'that declare nothing ask, and run once when approved, in the %s era'];
const dies: Row = [
  misbehaving,
  'dies in a call, in the %s era: what became of it is unknown, and it is connected again',
];
const away: Row = [misbehaving, 'cannot be reached: its tools say so, nothing was run, and it is found again'];
const lies: Row = [
  misbehaving,
  'lies about reading only: no question, but it counts as a write, has a receipt and stops with the kill switch',
];
const onlyReads: Row = [
  misbehaving,
  'changes a tool that it declares to only read while its question by %s is open: what was approved does not run',
];
const unasked: Row = [
  misbehaving,
  'declares to only read, and nobody is asked: its tools are looked at once, and not before each call',
];
const changed: readonly Row[] = [
  [ownLists, 'shows that a tool has changed for everybody: the next turn has the new one'],
  onlyReads,
  [
    misbehaving,
    'changes a tool while its question is open: what was approved does not run, and the next turn asks for the new one',
  ],
  [restarts, 'a call that waits for its user does not run after the server has changed the tool meanwhile'],
];
const named: Row = [misbehaving, 'declares the same name twice, a name of another server, and schemas nobody can use'];
const huge: Row = [misbehaving, 'sends a result of 100 MB: its rest is not read'];
const floods: readonly Row[] = [
  [misbehaving, 'floods with notifications: they are read no faster than the limits allow'],
  [programs, 'that flood are read no faster than the limits allow, and answer all the same'],
];
const redirects: Row = [
  misbehaving,
  'sends a redirect to a foreign origin: nobody goes there, and no header is seen there',
];
const silent: Row = [misbehaving, 'never answers: the turn waits only a moment, and the server closes at once'];
const hangs: Row = [misbehaving, 'hangs when it is closed: the server closes all the same'];
const slow: Row = [misbehaving, 'is slow: its call ends after its time, and the turn goes on'];

/** The statements of `docs/contract/mcp-servers.md`, and those about MCP servers of other pages. */
export const mcpServerRequirements: readonly Requirement[] = [
  by('service-2.16-01', [config, 'has every default of the contract']),
  by('service-2.16-02', [config, 'refuses %s'], [config, 'refuses two servers with the same name, whatever its case']),
  by('service-2.16-03', [config, 'refuses %s'], [config, 'takes an issuer on this machine in plain http']),
  by('service-2.16-04', [calls, 'warns of headers that travel over plain http, and not of those to this machine']),
  by('service-2.16-05', [calls, 'is checked and listed without a connection'], [output, 'prints a table for people']),
  by(
    'service-2.16-06',
    [reload, 'is listed in the guide: each key whose change is taken, and no other'],
    [
      'test/integration/agents-mcp.test.ts',
      'is taken by a reload: new servers are connected, the others are left, and one that stays keeps its connection',
    ],
  ),
  by('service-2.16-10', ...bothEras),
  by('service-2.16-11', [
    calls,
    'of a server with resources and prompts are used, and the log says that the others are not',
  ]),
  by('service-2.16-12', ...asked, [results, 'tell the model what the server wanted to ask']),
  by(
    'service-2.16-14',
    [questions, 'reaches the turn whose call it came with, while other users have calls under way'],
    [questions, 'reaches no turn where several calls are under way and nothing says which it belongs to'],
    [questions, 'reaches no other user once the call that it belongs to was stopped'],
  ),
  by('service-2.16-13', [status, 'have the trace context of the call']),
  by('service-2.16-20', silent, [programs, 'that cannot be started fail alone']),
  by('service-2.16-21', silent, limits),
  by('service-2.16-22', away, limits),
  by('service-2.16-23', [sessions, 'serve all uses of a key, and are closed when nobody has used them for a while']),
  by('service-2.16-24', hangs, limits),
  by(
    'service-2.16-25',
    [status, 'tells each connection how the servers are doing, and then each change'],
    [status, 'is not sent where there are no servers'],
    [status, 'says that a server is disabled while the kill switch stops all its tools'],
  ),
  by(
    'service-2.16-26',
    [status, 'tells each connection how the servers are doing, and then each change'],
    [status, 'names a server with roles only to those who have one of them, and its tools run for them alone'],
  ),
  by(
    'service-2.16-30',
    [programs, 'start at their first use, in the %s era'],
    [programs, 'serve one conversation each, and all with shared: true'],
  ),
  by('service-2.16-31', [
    programs,
    'have an environment of their own, and nothing of this server beside what a program needs',
  ]),
  by('service-2.16-32', [programs, 'end with the server, and what they have started ends with them']),
  by('service-2.16-33', [programs, 'that crash in a call are started again for the next, and nobody waits']),
  by(
    'service-2.16-34',
    [programs, 'have an environment of their own, and nothing of this server beside what a program needs'],
    limits,
  ),
  by(
    'service-2.16-40',
    [status, 'are only those of allowedTools, and each has the same name for as long as it is free'],
    [list, 'takes 128 tools at most, and says so'],
  ),
  by(
    'service-2.16-41',
    [status, 'are taken for new turns when the %s server says that they have changed'],
    ...changed,
    unasked,
    limits,
  ),
  by('service-2.16-42', named, [list, 'leaves out %s alone, with a line in the log']),
  by(
    'service-2.16-43',
    named,
    [names, 'stay as they are where they are valid and free'],
    [names, 'get the server before them where they are taken, reserved or not valid'],
    [names, 'are numbered where that is taken too, and never longer than names may be'],
    [names, 'stay with their tool when another server comes, and give way to an action'],
  ),
  by('service-2.16-44', [
    status,
    'names a server with roles only to those who have one of them, and its tools run for them alone',
  ]),
  by(
    'service-2.16-45',
    [ownLists, 'judges the call of that user alone with exchange: true, and no other user hears of it'],
    [ownLists, 'keeps a tool from running that is declared to that user otherwise, and changes it for nobody'],
    [ownLists, 'judges the call of that conversation alone with shared: false'],
    [ownLists, 'is that of a program that has served its conversation, which tells nobody else what it has learned'],
  ),
  by(
    'service-2.16-50',
    once,
    [calls, 'that only read run without a question, over HTTP in the %s era'],
    [calls, 'all ask where the entry says so, for the reason mcp'],
    [calls, 'do not run when they are declined'],
    lies,
    [guide, 'has a program that counts: showing asks nothing, adding asks first'],
  ),
  by('service-2.16-51', once, [calls, 'are not approved by a rule, and keep rules from approving anything else']),
  by('service-2.16-52', lies, slow, dies),
  by('service-2.16-53', ...changed),
  by(
    'service-2.16-54',
    once,
    away,
    [restarts, 'a call that waits for its user runs once when it is approved after a restart'],
    [restarts, 'a call that a crash has cut off is unknown, and is not made again'],
    [tool, 'whose call was %s throws what says so'],
  ),
  by('service-2.16-55', [calls, 'that fail have failed, with their own words, and are no fault of their server']),
  by('service-2.16-56', once, [calls, 'all ask where the entry says so, for the reason mcp']),
  by('service-2.16-60', [results, 'are read: %s']),
  by(
    'service-2.16-61',
    [calls, 'are described to the model as data, and give results that onToolResult changes'],
    [results, 'are cut where they are far too long, before anything is done with them'],
  ),
  by('service-2.16-70', once, [calls, 'are not approved by a rule, and keep rules from approving anything else']),
  by('service-2.16-71', [calls, 'are described to the model as data, and give results that onToolResult changes']),
  by('service-2.16-80', redirects, [
    tokens,
    'are got by client credentials, once for many requests, and are never in the log',
  ]),
  by(
    'service-2.16-81',
    [tokens, 'are got by client credentials, once for many requests, and are never in the log'],
    [tokens, 'are asked for anew when the server refuses one, and the request is sent once more'],
  ),
  by('service-2.16-82', [
    tokens,
    'are those of the user with exchange: true, and the user’s own token goes to the issuer alone',
  ]),
  by('service-2.16-83', [tokens, 'that an issuer does not give for one user are no matter for the others']),
  by('service-2.16-90', huge, ...floods, limits),
  by(
    'service-2.16-91',
    slow,
    dies,
    ...floods,
    huge,
    ...changed,
    lies,
    named,
    redirects,
    [misbehaving, 'answers HTML with status %i'],
    silent,
    hangs,
  ),
  by(
    'service-2.16-92',
    limits,
    [sessions, 'are so many at most: the one that was not used for longest gives way, and none that is in use'],
    [tool, 'shows 20 lines of progress at most'],
  ),
];
