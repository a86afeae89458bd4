import type { Requirement } from '../requirement.ts';

const server = 'test/integration/mcp-server.test.ts';

const by = (id: string, ...titles: readonly string[]): Requirement => ({
  id,
  tests: titles.map((title) => ({ file: server, title })),
});

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
  by('service-4.3-24', clients, 'says of a write that is declared to ask nobody that it is no read'),
  by('configuration-6-30', 'knows nobody without mcpCallerPrincipal, whatever token comes'),
  by('service-4.3-25', clients, 'leaves out what only a page could show, and fails what needs one'),
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
  by(
    'wire-10-30',
    'waits for the calls that run when it closes, and stops those that take longer',
    'closes although a hook never answers',
  ),
  by('service-5-30', 'says where users sign in when a token is missing'),
];
