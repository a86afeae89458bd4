import { pagesChannel } from '../../channels/pages/pages-channel.ts';
import type { OpenPart } from '../../channels/pages/start-page.ts';
import { packageVersion } from '../own-package.ts';
import { reportEndpoints } from '../server-report.ts';
import type { MountChannel, MountServices } from './mount-channel.ts';
import { mcpPath } from './mount-mcp.ts';

/** The pages for people who open the server in a browser (contract/addresses.md#for-people). */
export const mountPages: MountChannel = (http, services) => {
  const { settings, admission, document } = services;
  const { server, appName, primaryColor, demoPage } = settings;
  const hasHub = server.channels.includes('hub');
  const at = (path: string): string => `${http.prefix}${server.basePath}${path}`;
  void http.register(pagesChannel, {
    basePath: server.basePath,
    servesRoot: !(hasHub && demoPage),
    appName,
    version: packageVersion(),
    primaryColor,
    open: openParts(services, http.prefix),
    pages: [
      ...(hasHub && demoPage ? [{ label: 'Demo', path: at('/') }] : []),
      ...(hasHub ? [{ label: 'Chat', path: at('/helper/embed') }] : []),
      { label: 'API', path: at('/helper/docs') },
      { label: 'OpenAPI document', path: at('/helper/openapi.json') },
      { label: 'Dashboard', path: at('/helper/admin') },
    ],
    document,
    admission,
  });
};

/** What everybody may use, as `helper check` reports it. */
function openParts({ settings, prepared }: MountServices, prefix: string): readonly OpenPart[] {
  const { basePath, hubPath, ssePath } = settings.server;
  const labels: Readonly<Record<string, string>> = {
    [`${basePath}${hubPath}`]: 'Chat over the real-time hub',
    [`${basePath}${ssePath}`]: 'Chat over server-sent events',
    [`${basePath}/helper/widget.js`]: 'Widget for web pages',
    [mcpPath(settings)]: 'MCP server',
    [`${basePath}${settings.a2aServerPath}`]: 'A2A agent',
    [`${basePath}/v1/chat/completions`]: 'OpenAI API',
    [`${basePath}/agui`]: 'AG-UI',
  };
  return reportEndpoints(settings, prepared.plugins).flatMap(({ path, exposure }) => {
    const label = labels[path];
    return exposure === 'open to anyone' && label !== undefined ? [{ label, path: `${prefix}${path}` }] : [];
  });
}
