import type { Requirement } from '../requirement.ts';

const loadSettings = 'test/unit/config/load-settings.test.ts';
const warnings = 'test/unit/config/warnings.test.ts';
const rules = 'test/unit/config/rules.test.ts';
const tools = 'test/integration/hosted-tools.test.ts';
const servers = 'test/integration/hosted-mcp.test.ts';
const honest = 'test/integration/hosted-true-replies.test.ts';
const restarts = 'test/integration/hosted-restart.test.ts';
const calls = 'test/unit/core/agents/hosted-calls.test.ts';
const links = 'test/unit/core/agents/link-scope.test.ts';

const by = (id: string, file: string, ...titles: readonly string[]): Requirement => ({
  id,
  tests: titles.map((title) => ({ file, title })),
});

/** The statements of `docs/contract/hosted-tools.md`. */
export const hostedToolRequirements: readonly Requirement[] = [
  by('service-2.17-01', loadSettings, 'fills in every default of contract/hosted-tools.md'),
  by('service-2.17-02', tools, 'are sent to the Responses API, which hosted tools ask for, with their options'),
  {
    id: 'service-2.17-03',
    tests: [
      { file: tools, title: 'stay off with api: chat, and are then no settings of a connection' },
      { file: warnings, title: 'hosted tools of a model without any' },
      { file: warnings, title: 'hosted tools over chat completions' },
    ],
  },
  by('service-2.17-04', tools, 'are sent to the Responses API, which hosted tools ask for, with their options'),
  by('service-2.17-10', rules, 'names the hosted tools there are where another is set'),
  by('service-2.17-05', rules, 'refuses hosted tools that cannot work: %s'),
  by('service-2.17-06', warnings, 'options of a hosted tool that is off', 'domains of no search'),
  by('service-2.17-07', tools, 'are not offered to a fallback that speaks another API'),
  by('service-2.17-08', tools, 'do not run before the message is checked'),
  by('service-2.17-09', tools, 'are listed for each connection, and shown by showHostedToolsStatus: %s'),
  {
    id: 'service-2.17-20',
    tests: [
      { file: tools, title: 'are told while they run, with a title in the language, and with one end' },
      { file: tools, title: 'tell of code that ran, and of a call that failed' },
      { file: servers, title: 'have calls told while they run' },
    ],
  },
  by('service-2.17-21', tools, 'have a switch of their own: %s'),
  by('service-2.17-22', servers, 'have calls that need no approval told, and told to the model when it goes on'),
  {
    id: 'service-2.17-23',
    tests: [
      { file: tools, title: 'end as cancelled when the reply breaks off, which is not asked for again' },
      { file: calls, title: 'end where their reply fails' },
    ],
  },
  {
    id: 'service-2.17-24',
    tests: [
      { file: servers, title: 'have calls that need no approval told, and told to the model when it goes on' },
      { file: servers, title: 'is given with the next request, after which the call has run' },
      { file: honest, title: 'let a claim stand that a call of an MCP server bears out' },
      { file: tools, title: 'are told while they run, with a title in the language, and with one end' },
    ],
  },
  by(
    'service-2.17-25',
    honest,
    'let the words of the model stand after a call %s',
    'replace what was not looked up, after the model was made to call a tool of this server',
  ),
  by('service-2.17-30', tools, 'are sources with showRagSources, each once'),
  by('service-2.17-31', tools, 'are sources with showRagSources, each once', 'are no sources without it'),
  {
    id: 'service-2.17-40',
    tests: [
      { file: tools, title: 'are sent to the Responses API, which hosted tools ask for, with their options' },
      { file: links, title: 'knows whether an address is within them: %s' },
    ],
  },
  {
    id: 'service-2.17-41',
    tests: [
      { file: tools, title: 'take links and citations of others out before they are shown, and log their hosts' },
      { file: tools, title: 'hold over server-sent events too' },
      { file: links, title: 'never shows a piece of an address that is taken out later, however the reply is cut' },
      { file: links, title: 'leaves no address in a link because it is long, %s' },
      { file: links, title: 'reads a reply of nothing but %j in little time' },
    ],
  },
  by('service-2.17-42', links, 'takes what leads elsewhere out of a reply: %s'),
  by('service-2.17-43', tools, 'leave links alone that the model was sent'),
  by('service-2.17-44', tools, 'are not looked at with hostedToolDomainCheck: false, and sent all the same'),
  {
    id: 'service-2.17-50',
    tests: [
      { file: servers, title: 'are sent to the provider with everything that is set' },
      { file: servers, title: 'have headers that nobody is shown, whatever their tools answer' },
      {
        file: servers,
        title: 'have headers that no log and no message shows, whatever the provider repeats of them with %i',
      },
      { file: rules, title: 'never shows the headers of a hosted MCP server' },
    ],
  },
  by('service-2.17-51', rules, 'refuses hosted tools that cannot work: %s'),
  by('service-2.17-52', servers, 'have calls that need no approval told, and told to the model when it goes on'),
  by('service-2.17-60', servers, 'ask the provider for approvals by their settings: %s'),
  by(
    'service-2.17-61',
    servers,
    'is the usual question, which nobody can edit or have remembered',
    'is answered on the hub',
    'is answered over server-sent events',
  ),
  by(
    'service-2.17-62',
    servers,
    'is given with the next request, after which the call has run',
    'are asked side by side, answered in any order, and given in one request',
    'is told to later requests as a call with its result, and not given again',
    'stand beside calls of this server, whose results go under the ids of the provider',
  ),
  by(
    'service-2.17-63',
    servers,
    'is given with the next request, after which the call has run',
    'is given, and told, where calls of the model are traced',
  ),
  by(
    'service-2.17-64',
    servers,
    'that is declined is answered with the words that forbid another reason',
    'that nobody answers in time is not given',
    'may be declined one by one',
  ),
  by(
    'service-2.17-65',
    servers,
    'that is open at a Stop is never given',
    'are not made when a Stop comes before all are answered',
  ),
  by(
    'service-2.17-66',
    servers,
    'whose reply breaks off leaves the call unknown, and is not given again',
    'is not sent again where the provider does not answer',
  ),
  by(
    'service-2.17-67',
    servers,
    'whose call fails at its server has failed',
    'whose call the provider does not make has failed',
  ),
  by('service-2.17-68', servers, 'is refused without a question, and logged: %s'),
  by(
    'service-2.17-69',
    servers,
    'need no answer of the user where their tool asks for none, although the provider does',
  ),
  by('service-2.17-70', servers, 'that run a tool without its approval are logged, and the user is told'),
  {
    id: 'service-2.17-80',
    tests: [
      { file: servers, title: 'is offered while writes or a tool of the provider are switched off' },
      { file: tools, title: 'are not listed while the kill switch names them' },
    ],
  },
  by('service-2.17-81', servers, 'is run while its tool is switched off'),
  by('service-2.17-90', restarts, 'is given once, after %s while its question is open'),
  by(
    'service-2.17-91',
    restarts,
    'is not given again after a crash that came when it was sent: nobody knows whether the call ran',
  ),
  by('service-2.17-92', restarts, 'is given once after a crash that came while another question was open'),
  by('service-2.17-93', servers, 'is asked again where it is restored, and the approval is given once'),
  {
    id: 'service-2.17-94',
    tests: [
      { file: restarts, title: 'that a crash has cut off are asked for anew' },
      { file: calls, title: 'end where a crash has cut off their reply, before they are made anew' },
    ],
  },
  {
    id: 'service-2.17-95',
    tests: [
      { file: calls, title: 'has an origin in the history: %s' },
      { file: calls, title: 'has the same origin where it was approved' },
      { file: tools, title: 'is approved by no rule after code that was given %s' },
    ],
  },
  by('service-2.17-96', tools, 'is approved by no rule, and says why: %s'),
  by(
    'service-2.17-97',
    'test/integration/hosted-mcp-words.test.ts',
    'is read by the model before any call, so no rule approves beside it',
  ),
];
