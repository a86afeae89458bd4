import type { SectionSchema } from './setting-schema.ts';
import { urlPath } from './url-path.ts';

/** The MCP server, by which the models of other programs call the actions (contract/mcp-server.md). */
export const mcpServerSection = {
  title: 'MCP server',
  type: 'object',
  additionalProperties: false,
  properties: {
    mcpServerEnabled: {
      type: 'boolean',
      default: false,
      description: 'Publishes the actions that ask nobody as tools of an MCP server.',
    },
    mcpServerPath: {
      needs: [{ setting: 'mcpServerEnabled' }],
      ...urlPath,
      default: '/mcp',
      description: 'Path of the MCP server below server.basePath, unless endpoints.mcp.path is set.',
    },
    mcpCallerPrincipal: {
      needs: [{ setting: 'mcpServerEnabled' }, { setting: 'auth.jwt' }],
      type: ['string', 'null'],
      enum: ['fromToken', null],
      default: null,
      description:
        'Whose roles decide over MCP: fromToken takes the user of the bearer token; null knows nobody, and publishes no action that needs a role, unless a plugin has the hook of this name.',
    },
  },
} as const satisfies SectionSchema;
