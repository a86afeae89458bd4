import type { IssuerTrial, ModelTrial, ServerReport } from '../app.ts';

/** What was asked, where it was; left out, nobody asked. */
interface Asked {
  readonly trials?: readonly ModelTrial[] | undefined;
  readonly issuers?: readonly IssuerTrial[] | undefined;
}

/** What `helper check` prints for people (contract/configuration.md#commands). */
export function formatReport(report: ServerReport, { trials, issuers }: Asked = {}): string {
  const actions = report.actions.map(
    ({ name, readOnly, asks, reason, roles, tenants, trusted, sinks, agent, from }) => [
      name,
      `${readOnly ? 'reads' : 'writes'}${trusted ? ', trusted' : ''}`,
      `${asks ? `asks (${reason ?? 'always'})` : 'does not ask'}${sinks.length === 0 ? '' : `, sinks: ${sinks.join(', ')}`}`,
      [
        roles.length === 0 ? 'everybody' : roles.join(', '),
        ...(tenants.length === 0 ? [] : [`of ${tenants.join(', ')}`]),
      ].join(' '),
      agent === null ? from : `${from}, for ${agent} alone`,
    ],
  );
  const skills = report.skills.map(({ name, roles: required, tenants, from }) => [
    name,
    required.length === 0 ? 'everybody' : required.join(', '),
    tenants.length === 0 ? 'every tenant' : tenants.join(', '),
    from,
  ]);
  const agents = report.agents.map(({ name, kind, mode, tools, members, roles, model, version, from }) => [
    name,
    mode === null ? kind : `${kind}, ${mode}`,
    listed(kind === 'team' ? members : tools),
    roles.length === 0 ? 'everybody' : roles.join(', '),
    model ?? '-',
    version,
    from,
  ]);
  return [
    'The configuration is fine. This would be served:',
    '',
    `${report.model.isAgent === true ? 'Agent' : 'Model'}: ${report.model.name}${report.model.isDemo ? ' (a demo model)' : ''}`,
    `Tools: ${report.toolWeight.words}${report.mcpServers.length === 0 ? '' : '; those of MCP servers are known once they are connected'}`,
    '',
    ...blockOfModels(report.models),
    ...blockOfTrials(trials),
    ...blockOfIssuers(issuers),
    ...block('Actions', ['name', 'kind', 'confirmation', 'roles', 'from'], actions),
    ...blockOfUnasked(report.actions),
    ...(agents.length === 0
      ? []
      : block('Agents', ['name', 'kind', 'tools or members', 'roles', 'model', 'version', 'from'], agents)),
    ...(report.skills.length === 0 ? [] : block('Skills', ['name', 'roles', 'tenants', 'from'], skills)),
    ...blockOfServers(report.mcpServers),
    ...block(
      'Endpoints',
      ['path', 'exposure'],
      report.endpoints.map(({ path, exposure }) => [path, exposure]),
    ),
    ...blockOfNetwork(report.network),
    ...block(
      'Warnings',
      ['code', 'message'],
      report.warnings.map(({ code, message }) => [code, message]),
    ),
  ].join('\n');
}

/** What each model speaks, and with whom. */
function blockOfModels(models: ServerReport['models']): readonly string[] {
  if (models.length === 0) return [];
  const rows = models.map(({ name, provider, model, speaks, at, over }) => [
    name,
    provider,
    model ?? '-',
    `${speaks}${at === null ? '' : ` at ${at}`}${over === null ? '' : ` over ${over}`}`,
  ]);
  return block('Models', ['name', 'provider', 'model', 'speaks'], rows);
}

/** What each model has answered. */
function blockOfTrials(trials: readonly ModelTrial[] | undefined): readonly string[] {
  if (trials === undefined) return [];
  const rows = trials.map((trial) => [trial.name, trial.ok ? 'works' : 'FAILS', trialText(trial)]);
  return block('Models, asked now', ['name', 'result', 'answer'], rows);
}

/** What each issuer of tokens publishes, and what its tokens must have. */
function blockOfIssuers(issuers: readonly IssuerTrial[] | undefined): readonly string[] {
  if (issuers === undefined || issuers.length === 0) return [];
  const rows = issuers.map(({ entry, ok, keys, token }) => [entry, ok ? 'works' : 'FAILS', keys, token.join('; ')]);
  return block('Sign-in, asked now', ['setting', 'result', 'keys', 'a token has'], rows);
}

function trialText({ said, inputTokens, outputTokens, dimensions, durationMs, fault }: ModelTrial): string {
  const time = `${(durationMs / 1000).toFixed(1)} s`;
  if (fault !== null) return `${fault.message}, after ${time}.${fault.advice === null ? '' : ` ${fault.advice}`}`;
  const tokens = `${String(inputTokens)} tokens in, ${String(outputTokens)} out`;
  switch (said) {
    case 'call':
      return `called the tool, ${tokens}, ${time}`;
    case 'text':
      return `answered with text and did not call the tool, ${tokens}, ${time}`;
    case 'vector':
      return `a vector of ${String(dimensions)} numbers, ${time}`;
    case 'nothing':
    case null:
      return `answered without text: it thinks longer than this question allows, ${time}`;
  }
}

/** What can be approved in place of users, action by action; nothing where they always answer themselves. */
function blockOfUnasked(actions: ServerReport['actions']): readonly string[] {
  const rows = actions.flatMap(({ name, unasked }) => {
    if (unasked === null) return [];
    const { rule, choice, declare } = unasked;
    return [[name, rule ? 'can approve' : 'never approves', choice ? 'is offered' : 'is not offered', listed(declare)]];
  });
  return rows.length === 0
    ? []
    : block('In place of users', ['action', 'a rule', '"do not ask again"', 'declare'], rows);
}

function blockOfServers(servers: ServerReport['mcpServers']): readonly string[] {
  if (servers.length === 0) return [];
  const rows = servers.map(({ name, target, asksAlways, allowedTools, roles, tenants }) => [
    name,
    target,
    asksAlways ? 'asks always' : 'asks but for reading',
    allowedTools === null ? 'all' : listed(allowedTools),
    roles.length === 0 ? 'everybody' : roles.join(', '),
    tenants.length === 0 ? 'every tenant' : tenants.join(', '),
  ]);
  return block('MCP servers', ['name', 'target', 'confirmation', 'tools', 'roles', 'tenants'], rows);
}

/** How requests leave the server; nothing where they go straight to their addresses. */
function blockOfNetwork({ proxies, noProxy, roots }: ServerReport['network']): readonly string[] {
  const rows = [
    ...proxies.map(({ of, address, from }) => [`${of}://`, `through ${address}`, from]),
    ...(noProxy.length === 0 ? [] : [[noProxy.join(', '), 'without a proxy', 'network.noProxy, NO_PROXY']]),
    ...(roots === 0 ? [] : [['roots', `${String(roots)} beside those of Node.js`, 'network.ca']]),
  ];
  return rows.length === 0 ? [] : block('Outgoing requests', ['to', 'way', 'from'], rows);
}

function listed(names: readonly string[]): string {
  return names.length === 0 ? '-' : names.join(', ');
}

function block(title: string, header: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  if (rows.length === 0) return [`${title}: none`, ''];
  const widths = header.map((cell, column) =>
    Math.max(...[header, ...rows].map((row) => (row[column] ?? cell).length)),
  );
  const line = (row: readonly string[]): string =>
    `  ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd();
  return [title, line(header), ...rows.map(line), ''];
}
