import type { Requirement } from '../requirement.ts';

const config = 'test/unit/config/openapi.test.ts';
const provider = 'test/unit/app/openapi-provider.test.ts';
const documents = 'test/unit/adapters/openapi/read-document.test.ts';
const requests = 'test/unit/adapters/openapi/build-request.test.ts';
const calls = 'test/integration/imported-operations.test.ts';
const hostile = 'test/integration/hostile-documents.test.ts';
const adopting = 'test/integration/adopt.test.ts';
const guide = 'test/integration/openapi-guide.test.ts';

type Row = readonly [file: string, title: string];

const by = (id: string, ...rows: readonly Row[]): Requirement => ({
  id,
  tests: rows.map(([file, title]) => ({ file, title })),
});

const page: Row = [hostile, 'a page in place of a document: the file stops the start, the address is asked again'];
const readAgain: Row = [
  hostile,
  'is read again until that succeeds; until then the server is not ready, and no longer after',
];
const left: Row = [documents, 'that cannot be imported is left out with a reason, and the others are there'];
const kinds: Row = [
  provider,
  'name operations that are left out, globs that name none and places that break OpenAPI, ten of each at most',
];

/** The statements of `docs/contract/openapi.md`. */
export const importedOperationRequirements: readonly Requirement[] = [
  by('extending-3-01', [config, 'has every default of the contract']),
  by('extending-3-02', [config, 'refuses %s'], [config, 'refuses two entries with one name']),
  by('extending-3-03', [documents, '%s becomes the tool %s']),
  by('extending-3-04', [config, 'refuses %s']),
  by('extending-3-05', [provider, 'are about headers over %s: %s']),
  by(
    'extending-3-06',
    [config, 'takes new values of headers while it runs; everything else waits for a restart'],
    [calls, 'have new values while the server runs, from a changed file'],
  ),
  by(
    'extending-3-10',
    [documents, 'of version %s is read'],
    [documents, 'that is %s is refused'],
    [documents, 'is JSON or YAML'],
  ),
  by('extending-3-11', page),
  by('extending-3-12', readAgain, page, [provider, 'say why a document could not be used']),
  by(
    'extending-3-13',
    [documents, 'may refer to files in its folder, and to no others: not by path, not by link, not by address'],
    [hostile, 'references to files and addresses elsewhere: none is read, and the operation is left out'],
  ),
  by('extending-3-14', [hostile, 'is fetched with the headers of the entry only where it has the origin of baseUrl']),
  by('extending-3-20', [documents, 'is imported where a glob names it, and a glob that names none is told'], kinds),
  by(
    'extending-3-21',
    [calls, 'that reads runs without a question, and the model reads the answer as data'],
    [calls, 'that writes asks first, and is one request with a JSON body'],
    [guide, 'has a shop that is looked into without a question, and asked before it cancels'],
  ),
  by(
    'extending-3-22',
    [calls, 'is what the entry says of it: reads that ask, writes that do not, other words'],
    [calls, 'needs one of its roles, and the API is not called without it'],
    [calls, 'marks the arguments of `sinks` as destinations (contract/provenance.md#sinks)'],
  ),
  by('extending-3-23', [hostile, 'that lacks an operation whose roles are configured is not used at all']),
  by('extending-3-24', left, [documents, 'with %s is left out'], kinds),
  by(
    'extending-3-25',
    [documents, 'that breaks OpenAPI is imported as far as it can be read, and the place is told'],
    kinds,
  ),
  by('extending-3-26', [
    calls,
    'answers text from outside, unless the entry vouches for it (contract/provenance.md#origins)',
  ]),
  by('extending-3-27', [calls, 'whose tool name a plugin has stops the start, and both places are told']),
  by(
    'extending-3-28',
    [calls, 'is a tool of a specialist that names it with `kind: function` (contract/agents.md#definitions)'],
    [calls, 'is called by the models of other programs where it asks nobody (contract/mcp-server.md#calls)'],
  ),
  by(
    'extending-3-30',
    [documents, 'are its parameters and the members of its body, in one flat object'],
    [documents, 'are one argument `body` where the body is more than its members'],
  ),
  by('extending-3-31', [documents, 'are its parameters and the members of its body, in one flat object']),
  by(
    'extending-3-32',
    [documents, 'join the parts of `allOf`, and leave out what an API only answers with'],
    [documents, 'leave open what would be the same again'],
    [
      documents,
      'speak JSON Schema, whatever the version of OpenAPI: null, exclusive bounds, patterns in words, one of',
    ],
  ),
  by('extending-3-33', [
    documents,
    'are no headers that belong to the connection, that say who calls, or that the configuration sets',
  ]),
  by('extending-3-34', [
    requests,
    'has the id of the call where the document declares Idempotency-Key, and the model is not asked for it',
  ]),
  by(
    'extending-3-40',
    [requests, 'goes below baseUrl, with the path of the document'],
    [requests, 'is never made where its address would lead somewhere else'],
    [hostile, 'servers of somebody else: nothing is sent there, whatever the document says'],
  ),
  by(
    'extending-3-41',
    [requests, 'encodes the value %s of a path'],
    [requests, 'refuses the value "%s" of a path, in words for the model'],
    [calls, 'refuses a value that would leave its path, in words for the model, and nothing is sent'],
  ),
  by(
    'extending-3-42',
    [calls, 'has the headers of the configuration and the trace, and no argument replaces one'],
    [calls, "has the user's own token with forwardAuthorization, and without it has none"],
  ),
  by('extending-3-43', [calls, 'follows no redirect: a read has failed, and nobody knows of a write']),
  by(
    'extending-3-44',
    [calls, 'that only reads is made again after 503, twice at most; a write is not'],
    [calls, 'that breaks off leaves a write unknown, and is not made again'],
    [calls, 'that a gateway did not pass on leaves a write unknown'],
  ),
  by(
    'extending-3-45',
    [calls, 'that the API refuses fails with the status and one line of its own words'],
    [calls, 'that fails in the API tells the status and never the body'],
  ),
  by('extending-3-46', [
    calls,
    'of an API that is away did not run, and after five failures it is left alone for a while',
  ]),
  by(
    'extending-3-47',
    [calls, 'may answer with text, with nothing, or with what cannot be shown'],
    [calls, 'takes no longer than `timeout`, and answers of more than 1 MiB are not read'],
  ),
  by(
    'extending-3-48',
    [
      'test/unit/adapters/openapi/read-answer.test.ts',
      'keeps every digit of a number, because another number would be another record',
    ],
    [requests, 'refuses the number %d, whose digits are lost'],
  ),
  by(
    'extending-3-50',
    [hostile, '100,000 operations: too many are refused in words, and the few that are named are imported'],
    [hostile, 'a document without end, large or deep'],
    ['test/unit/adapters/openapi/openapi-limits.test.ts', 'are those of the contract'],
  ),
  by(
    'extending-3-51',
    [hostile, 'a bomb of references: what grows without end is left open, and the rest can be called'],
    [hostile, 'a bomb of aliases in YAML is refused, and the place is told'],
    [hostile, 'schemas that hold themselves, and references in a circle'],
    [hostile, 'names that clash, that are reserved, or that are no names of tools'],
    [hostile, 'parameters in odd places'],
    [
      hostile,
      'redirects, statuses and slow answers in place of a document: nobody is followed, and the start waits for none for ever',
    ],
  ),
  by(
    'extending-3-60',
    [
      adopting,
      'writes a configuration that is served: what reads is on, the rest is listed and off, all with name and words',
    ],
    [adopting, 'names what cannot be imported, and why'],
    [adopting, 'has the header that the document names for %s, off until its # is gone'],
  ),
  by('extending-3-61', [adopting, 'never writes over a file unless it is told to']),
  by('extending-3-62', [
    adopting,
    'makes of no text of the document a setting, a glob or a variable of the environment',
  ]),
];
