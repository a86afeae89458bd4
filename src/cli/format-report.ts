import type { ServerReport } from '../app.ts';

/** What `helper check` prints for people (contract/configuration.md#commands). */
export function formatReport(report: ServerReport): string {
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
    '',
    ...block('Actions', ['name', 'kind', 'confirmation', 'roles', 'from'], actions),
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
    ...block(
      'Warnings',
      ['code', 'message'],
      report.warnings.map(({ code, message }) => [code, message]),
    ),
  ].join('\n');
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
