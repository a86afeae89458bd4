import type { SectionSchema } from './setting-schema.ts';
import { agentCardUrl, agentDescription, agentHeaders, agentName } from './agent-members.ts';

/** Agents beside the coordinator (contract/agents.md). */
export const agentsSection = {
  title: 'Agents',
  type: 'object',
  additionalProperties: false,
  properties: {
    declarative: {
      type: 'object',
      additionalProperties: false,
      default: {},
      properties: {
        directory: {
          type: ['string', 'null'],
          minLength: 1,
          relativeTo: 'file',
          default: null,
          description: 'Folder of the files that define agents. It is code: never a folder for uploads.',
        },
        searchPattern: {
          needs: [{ setting: 'declarative.directory' }],
          type: 'string',
          minLength: 1,
          maxLength: 200,
          default: '*.agent.yaml',
          description: 'Which files define agents, by name; * stands for any characters, ? for one.',
        },
        recursive: {
          needs: [{ setting: 'declarative.directory' }],
          type: 'boolean',
          default: false,
          description: 'Looks into the folders below directory too.',
        },
        definitions: {
          type: 'array',
          items: { type: 'string', minLength: 1, maxLength: 262_144 },
          maxItems: 100,
          default: [],
          description: 'Definitions as YAML texts, read before the files.',
        },
        configurationSection: {
          needs: [[{ setting: 'declarative.directory' }, { setting: 'declarative.definitions' }]],
          type: ['string', 'null'],
          pattern: '^[A-Za-z][A-Za-z0-9_-]{0,63}$',
          allowed: 'the name of a top-level key of your own in this file',
          default: null,
          description:
            'Top-level key of this file, with names and texts, whose values definitions reach as =Env.NAME. null: none.',
        },
        watch: {
          needs: [{ setting: 'declarative.directory' }],
          type: 'boolean',
          default: false,
          description: 'Takes changed files of definitions for new turns, within 5 s.',
        },
      },
      description: 'Where specialists, teams and remote agents are defined.',
    },
    remoteAgents: {
      type: 'array',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['name', 'description', 'agentCardUrl'],
        properties: {
          name: agentName,
          description: agentDescription,
          agentCardUrl,
          headers: agentHeaders,
        },
      },
      maxItems: 50,
      default: [],
      description: 'Agents on other servers, reached by A2A.',
    },
    showA2AStatus: {
      needs: [{ setting: 'remoteAgents' }],
      type: 'boolean',
      default: false,
      description: 'Shows in the menu of the widget how the remote agents are doing that the user may reach.',
    },
    includeWorkflowExceptionDetails: {
      needs: [
        [{ setting: 'declarative.directory' }, { setting: 'declarative.definitions' }, { setting: 'remoteAgents' }],
      ],
      type: 'boolean',
      default: false,
      description:
        'Lets a reply say why a specialist or a team has failed. For development: a fault may name what is not for users.',
    },
  },
} as const satisfies SectionSchema;
