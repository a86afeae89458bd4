import type { Requirement } from '../requirement.ts';

const server = 'test/integration/mcp-server.test.ts';

const by = (id: string, ...titles: readonly string[]): Requirement => ({
  id,
  tests: titles.map((title) => ({ file: server, title })),
});

const written =
  (file: string) =>
  (id: string, ...titles: readonly string[]): Requirement => ({
    id,
    tests: titles.map((title) => ({ file, title })),
  });
const asked = written('test/integration/mcp-confirmations.test.ts');
const crashed = written('test/integration/mcp-confirmation-crashes.test.ts');
const played = written('test/unit/core/direct/asked-calls.test.ts');
const asking = written('test/unit/core/direct/asked-questions.test.ts');
const changedCallback = written('test/integration/changed-callback.test.ts');
const listened = written('test/integration/mcp-changed-lists.test.ts');
const listening = written('test/unit/channels/mcp/tool-listeners.test.ts');
const logs = written('test/integration/mcp-logs.test.ts');
const ofWebsites = written('test/integration/mcp-websites.test.ts');
const ofPages = written('test/browser/mcp-website.test.ts');
const skilled = written('test/integration/mcp-skills.test.ts');
const browsed = written('test/browser/confirm-page.test.ts');
const warned = written('test/unit/config/warnings.test.ts');

/** A statement that tests of several files prove. */
const together = (...parts: readonly Requirement[]): Requirement => ({
  id: parts[0]?.id ?? '',
  tests: parts.flatMap(({ tests }) => tests),
});

const once = 'answers a client that opens no addresses with the address, and its next call runs the action once: %s';
const schedules = 'no action runs without the approval of its user for its arguments, and none runs twice';
const users = 'lets only the user of the caller open the page and answer';

const clients = 'lists and calls for an official client: %s';
const unpublished = 'neither publishes nor runs what would ask, needs a role or is no action of the host: %s';
const roles = 'publishes an action with roles to a holder of one of them, with mcpCallerPrincipal: fromToken';
const faults = 'answers faults as results that are errors, in words for the model';

/** The statements of `docs/contract/mcp-server.md`. */
export const publishedActionRequirements: readonly Requirement[] = [
  by(
    'service-2.13-01',
    clients,
    'is not there unless mcpServerEnabled is true',
    'serves holders of endpoints.mcp.roles only, at endpoints.mcp.path',
  ),
  by('service-2.13-02', clients, 'serves one message in each request, and no batches'),
  by('service-2.13-03', 'refuses endpoints.mcp while mcpServerEnabled is false'),
  by('service-4.3-20', unpublished, 'publishes all that is not read-only no more once requiresApproval says so'),
  by('service-4.3-21', unpublished),
  by('service-2.13-04', 'knows nobody without mcpCallerPrincipal, whatever token comes', roles),
  by('service-4.3-22', unpublished),
  by('service-4.3-23', roles, 'says that a list is for its caller alone, and may not be kept'),
  by(
    'service-4.3-24',
    clients,
    'says of a write that is declared to ask nobody that it is no read',
    'tells the draft of a schema as its action declares it, and models none',
  ),
  by('configuration-6-30', 'knows nobody without mcpCallerPrincipal, whatever token comes'),
  by('service-4.3-25', clients, 'leaves out what only a page could show, and fails what needs one'),
  by(
    'service-4.3-53',
    'passes the parts of a result on as they are: %s',
    'sends what onToolResult has made of the parts of a result',
  ),
  by('service-4.3-54', 'sends nothing of what an action logs'),
  logs(
    'service-4.3-70',
    'sends an official client what the action of its call logs: %s',
    'leaves out what the log leaves out',
  ),
  logs(
    'service-4.3-71',
    'sends nothing to a client that has not asked for logs: %s',
    'sends nothing below the level of the setting, or below that of the client',
  ),
  together(
    logs('service-4.3-72', 'sends an official client what the action of its call logs: %s'),
    written('test/unit/channels/mcp/asked-levels.test.ts')(
      'service-4.3-72',
      'a level is kept for its session id alone, until the client asks for another one',
      'the oldest level is forgotten where there are too many',
      'an id that this server would not make is not kept',
    ),
    written('test/unit/channels/mcp/mcp-logging.test.ts')(
      'service-4.3-72',
      'one of several replicas promises logs to the newer revision alone: %s',
    ),
  ),
  together(
    logs('service-4.3-73', 'sends so many lines and characters of a call, and no more'),
    logs('service-4.3-73', 'sends nothing of what an action logs after its end'),
  ),
  listened(
    'service-4.3-60',
    'tells an official client that listens of an action that is added, and it reads the list again',
    'tells of a reload that publishes less',
    'promises nothing to clients of the older revisions, which cannot listen',
    'says what is listened to, and ends at once where it is nothing that changes here',
  ),
  together(
    listened('service-4.3-61', 'tells only those whose own list has changed, once for many changes'),
    listening(
      'service-4.3-61',
      'a client is told once of many changes at once, and nothing when its list stays the same',
      'a change while the clients are being told is told after that',
      'one list is made for all callers with the same roles and the same tenant',
      'a client is told where nobody can say whether its list has changed, and listens on',
    ),
  ),
  listened(
    'service-4.3-62',
    'has room for a thousand who listen, and tells them all',
    'counts those who listen among the connections of their user, until they go',
    'keeps nothing of a request whose id is too long to keep',
  ),
  together(
    listened(
      'service-4.3-63',
      'ends the stream of a token that has expired',
      'ends the stream of a caller who may not come in any more, and tells nothing',
      'tells the others while one does not read',
    ),
    listening(
      'service-4.3-63',
      'a caller who would be refused is told nothing, and its stream ends',
      'a stream whose client does not read is cut',
      'a stream ends once the token of its caller has expired',
      'nothing is looked at any more once all clients have gone',
    ),
  ),
  together(
    listened('service-4.3-64', 'ends all streams as soon as the server shuts down, and waits for none'),
    listening('service-4.3-64', 'the end of the server ends all streams, and leaves no timer'),
  ),
  skilled(
    'service-2.13-40',
    'gives the official client skills that it can verify: %s',
    'has no such extension without skills',
  ),
  skilled('service-2.13-41', 'shows a skill with roles to their holders alone, and says to nobody who they are'),
  together(
    skilled(
      'service-2.13-42',
      'gives the official client skills that it can verify: %s',
      'leaves a skill out that the extension has no form for',
    ),
    written('test/unit/channels/mcp/shared-skills.test.ts')('service-2.13-42', 'says once why a skill is left out'),
  ),
  skilled('service-2.13-43', 'reads no file but those of its skills: %s', 'lists no resources'),
  by('service-2.8-60', faults),
  by('service-4.3-26', faults, 'tells a time that ran out as an error result', 'stops what the kill switch stops'),
  by('service-8-20', 'counts calls per user apart from messages, and answers one too many as an error result'),
  by('service-4.3-27', 'tells progress to a client that asks for it'),
  by('service-4.3-28', 'stops an action whose caller has gone: %s'),
  by(
    'configuration-5-30',
    'serves signed-in users only with requireAuthorization',
    'serves holders of endpoints.mcp.roles only, at endpoints.mcp.path',
    'answers 429 above endpoints.mcp.rateLimit',
    'takes no cookie for a token',
  ),
  by('wire-1-30', 'refuses websites', 'refuses a name that is not of this server, whatever address the request names'),
  ofWebsites(
    'service-4.3-50',
    'lets in the websites of the policy that endpoints.mcp.cors names, and no others',
    'answers no website before its request without a policy',
    'still refuses a name that is not of this server',
  ),
  ofWebsites(
    'service-4.3-51',
    'lets in every website, without cookies, by the built-in policy HelperAgentMcp',
    'takes a policy of the name HelperAgentMcp that is written in place of the built-in one',
  ),
  together(
    ofWebsites('service-4.3-52', 'lets in the websites of the policy that endpoints.mcp.cors names, and no others'),
    ofPages('service-4.3-52', 'lists and calls with the official client in a browser: %s'),
  ),
  together(
    ofWebsites(
      'configuration-1-30',
      'does not start with the name of a policy that is not there',
      'does not start with every origin and credentials',
    ),
    warned('configuration-1-30', 'a policy that no endpoint names'),
  ),
  by(
    'wire-10-30',
    'waits for the calls that run when it closes, and stops those that take longer',
    'closes although a hook never answers',
  ),
  asked('service-4.3-40', 'publishes actions that ask to callers who are signed in, and to nobody else'),
  together(
    asked('configuration-6-31', 'does not start without an address or a cookie for the page: %j %j'),
    warned('configuration-6-31', 'a page that nobody can be asked on'),
  ),
  warned('configuration-6-32', 'an MCP server that asks nobody'),
  asked(
    'service-4.3-41',
    once,
    'has a client of the newest revision open the page, and goes on with the call',
    'answers a client of an older revision that opens addresses with the error that names one',
  ),
  asked(
    'service-4.3-42',
    once,
    'tells the program that its user has declined, and asks anew when it calls again',
    'tells the program that nobody answered in time',
    'lets a call of the newest revision wait while the user reads the page',
  ),
  together(
    asked(
      'service-4.3-43',
      'binds an approval to the arguments that the page has shown',
      'lets no approval be used by another user, or under the name of another question',
    ),
    played('service-4.3-43', schedules),
    asking('service-4.3-43', 'lapses when nobody uses its approval'),
  ),
  together(
    asked(
      'service-4.3-44',
      'runs once for answers and calls that come at the same time',
      'lets ten calls wait for one answer, has any more come back later, and tells all of them of one run',
      once,
    ),
    played('service-4.3-44', schedules),
  ),
  together(
    asking(
      'service-4.3-48',
      'does not run what the user has lost the role for since the answer',
      'does not run what the kill switch has stopped since the answer, and keeps the approval',
      'does not run an action that was declared anew since the question',
    ),
    changedCallback(
      'service-4.3-48',
      'does not run, and the next call asks for the new one',
      'does not run in a call that has waited for the answer',
      'runs in a call after the answer when only its spelling is another',
    ),
  ),
  asking('service-4.3-49', 'gives its outcome to the next call when the one that ran it has gone'),
  asked(
    'service-4.3-45',
    'tells whoever names the question its outcome as often as it asks, and runs nothing again',
    'lets no approval be used by another user, or under the name of another question',
  ),
  asked('service-4.3-46', 'takes a client at its word that its user will not open the page: %s'),
  together(
    crashed(
      'service-4.3-47',
      'ends the question when it comes before the answer, and nothing runs',
      'ends an approval that no call has used, and the user is asked anew',
      'tells the next call that nobody knows what came of an action that ran, and does not run it again',
    ),
    played('service-4.3-47', schedules),
    asking('service-4.3-47', 'stands in the journal and in the security log as every other one'),
  ),
  asked(
    'service-8-21',
    'refuses another question to a user who has twenty open ones',
    'refuses arguments that are too long for a page',
  ),
  asked('wire-10-31', 'ends the open questions when it shuts down'),
  asked('wire-6-90', once, 'has no page unless endpoints.mcp.confirmations is page'),
  asked('service-5-40', users),
  asked('service-5-41', users),
  together(
    asked(
      'wire-6-91',
      'serves the page without scripts, for no frame, and keeps it nowhere',
      'shows what hides, and lets no text become a part of the page',
      'binds an approval to the arguments that the page has shown',
    ),
    browsed('wire-6-91', 'signed out, tells the user to sign in, and shows the question once that is done'),
  ),
  written('test/unit/channels/confirm/confirm-page.test.ts')(
    'wire-6-97',
    'names each text that the assistant has read, in front of what would run',
    'says nothing of it where nothing was read but what is trusted',
    'says it in %s, for every origin that is not trusted',
    'keeps a title in its own frame, as text alone, with what hides spelled out',
  ),
  asked(
    'wire-6-92',
    'serves the page without scripts, for no frame, and keeps it nowhere',
    'takes an answer only from the page itself',
  ),
  together(
    asked('wire-6-93', 'runs once for answers and calls that come at the same time'),
    asking('wire-6-93', 'is shown as it ended to whoever opens it while its answer is being stored'),
    crashed(
      'wire-6-93',
      'or none: a link that somebody else opens approves nothing, and answers at the same time run the action once',
    ),
  ),
  asked('wire-6-96', 'counts requests of the page by endpoints.transports.rateLimit'),
  asked('wire-6-94', 'speaks the language of the browser, or else the configured one'),
  browsed(
    'wire-6-95',
    'is answered by keyboard alone, and declining runs nothing',
    'has no fault for assistive technology and fits a narrow window: %s',
  ),
  by('service-5-31', 'says of a token that is not valid that it is not, so that a client gets another one'),
  by('service-5-30', 'says where users sign in when a token is missing'),
];
