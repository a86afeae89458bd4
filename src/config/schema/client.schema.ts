import { agentCardUrl, agentName } from './agent-members.ts';
import { displayOptions } from './display-options.ts';
import { imageLimits } from './image-limits.ts';
import type { SectionSchema, SettingSchema } from './setting-schema.ts';

/** Null: the value of the widget option of the same name applies (contract/widget.md#looks). */
const asTopLevel = { type: ['boolean', 'null'], default: null } as const satisfies SettingSchema;

/** What the widget's script tells pages beyond the widget options (contract/widget.md#looks). */
export const clientSection = {
  title: 'Widget script',
  type: 'object',
  additionalProperties: false,
  properties: {
    client: {
      needs: [{ setting: 'server.channels', is: 'hub' }],
      type: 'object',
      default: {},
      additionalProperties: false,
      properties: {
        hubUrl: {
          type: ['string', 'null'],
          maxLength: 2000,
          pattern: '^(https?://[^/?#@\\\\\\s]+)?/(?!/)[^?#\\\\\\s]*$',
          allowed: 'an address such as https://chat.example.com/helper-hub, or a path of this server',
          default: null,
          description:
            'Where browsers reach the hub, when that is not where the script comes from; ends with server.hubPath, and what stands before it is where confirmations and Stop go too.',
        },
        botName: {
          ...displayOptions.botName,
          type: ['string', 'null'],
          default: null,
          description: 'null takes botName of the top level.',
        },
        welcomeMessage: {
          ...displayOptions.welcomeMessage,
          description: 'null takes welcomeMessage of the top level.',
        },
        avatarUrl: { ...displayOptions.avatarUrl, description: 'null takes avatarUrl of the top level.' },
        inputPlaceholder: {
          ...displayOptions.inputPlaceholder,
          description: 'null takes inputPlaceholder of the top level.',
        },
        theme: {
          ...displayOptions.theme,
          type: ['string', 'null'],
          enum: [...displayOptions.theme.enum, null],
          default: null,
          description: 'null takes theme of the top level.',
        },
        position: {
          ...displayOptions.position,
          type: ['string', 'null'],
          enum: [...displayOptions.position.enum, null],
          default: null,
          description: 'null takes position of the top level.',
        },
        primaryColor: { ...displayOptions.primaryColor, description: 'null takes primaryColor of the top level.' },
        language: {
          ...displayOptions.language,
          type: ['string', 'null'],
          enum: [...displayOptions.language.enum, null],
          default: null,
          description:
            "Language of the widget's texts alone; null takes language of the top level, or the page's where that is not set.",
        },
        enableSuggestions: { ...asTopLevel, description: 'null takes enableSuggestions of the top level.' },
        enableFollowUps: { ...asTopLevel, description: 'null takes enableFollowUps of the top level.' },
        suggestions: {
          needs: [{ setting: 'client.enableSuggestions' }],
          type: 'array',
          items: { type: 'string', minLength: 1, maxLength: 120 },
          uniqueItems: true,
          maxItems: 6,
          default: [],
          description:
            'Those messages; empty takes them from the pages and the read-only actions that need no role. Anybody can read them.',
        },
        enableOnboardingTour: { ...asTopLevel, description: 'null takes enableOnboardingTour of the top level.' },
        tourUrl: {
          needs: [{ setting: 'client.enableOnboardingTour' }],
          type: 'string',
          format: 'asset-url',
          maxLength: 2000,
          default: '/helper/tour',
          description:
            'Where the steps of the tour come from; a path is one of this server, below server.basePath. Point it at a file of your own to write the tour yourself.',
        },
        enableVoiceInput: { ...asTopLevel, description: 'null takes enableVoiceInput of the top level.' },
        enableVoiceOutput: { ...asTopLevel, description: 'null takes enableVoiceOutput of the top level.' },
        voiceStreaming: {
          needs: [{ setting: 'client.enableVoiceOutput' }],
          ...asTopLevel,
          description: 'null takes voiceStreaming of the top level.',
        },
        voiceBargeIn: {
          needs: [{ setting: 'client.enableVoiceOutput' }],
          ...asTopLevel,
          description: 'null takes voiceBargeIn of the top level.',
        },
        voiceHandsFree: {
          needs: [{ setting: 'client.enableVoiceInput' }, { setting: 'client.enableVoiceOutput' }],
          ...asTopLevel,
          description: 'null takes voiceHandsFree of the top level.',
        },
        voiceRate: {
          needs: [{ setting: 'client.enableVoiceOutput' }],
          type: ['number', 'null'],
          minimum: 0.1,
          maximum: 10,
          default: null,
          description: 'null takes voiceRate of the top level.',
        },
        enableImageInput: {
          needs: [{ setting: 'enableImageInput' }],
          ...imageLimits.enableImageInput,
          description: 'Lets users pick, paste and drop images; the enableImageInput of the server must be on as well.',
        },
        maxImageBytes: {
          needs: [{ setting: 'client.enableImageInput' }],
          ...imageLimits.maxImageBytes,
          description: "Largest image the widget sends; larger ones are made smaller. Never more than the server's.",
        },
        maxImagesPerMessage: {
          needs: [{ setting: 'client.enableImageInput' }],
          ...imageLimits.maxImagesPerMessage,
          description: "Most images of one message. Never more than the server's.",
        },
        allowedImageTypes: {
          needs: [{ setting: 'client.enableImageInput' }],
          ...imageLimits.allowedImageTypes,
          description: 'Types of images the widget takes, of those that the server takes.',
        },
        enableFileInput: {
          needs: [{ setting: 'enableFileInput' }],
          type: 'boolean',
          default: false,
          description: 'Lets users pick, paste and drop files; the enableFileInput of the server must be on as well.',
        },
        showHostedToolsStatus: { ...asTopLevel, description: 'null takes showHostedToolsStatus of the top level.' },
        hostedTools: {
          needs: [{ setting: 'client.showHostedToolsStatus' }],
          type: 'array',
          items: { type: 'string', enum: ['WebSearch', 'FileSearch', 'CodeInterpreter'] },
          uniqueItems: true,
          default: [],
          description:
            'The hosted tools that the menu names before the connection has told which are on. For display alone; mostly left out.',
        },
        showRagSources: {
          ...asTopLevel,
          needs: [{ setting: 'showRagSources' }],
          description:
            'false hides which documents a reply goes by; null shows them with showRagSources of the top level.',
        },
        showA2AStatus: { ...asTopLevel, description: 'null takes showA2AStatus of the top level.' },
        showMcpStatus: { ...asTopLevel, description: 'null takes showMcpStatus of the top level.' },
        hasMcpServers: {
          needs: [{ setting: 'client.showMcpStatus' }],
          type: ['boolean', 'null'],
          default: null,
          description:
            'true: the line of MCP servers in the menu is there before the connection has told of them; null: from then on, where there are any; false: never.',
        },
        mcpServerNames: {
          needs: [{ setting: 'client.hasMcpServers', is: true }, { setting: 'client.showMcpStatus' }],
          type: 'array',
          items: { type: 'string', minLength: 1, maxLength: 100 },
          uniqueItems: true,
          maxItems: 50,
          default: [],
          description:
            'The MCP servers that the menu names until then, as connecting. For display alone, and anybody can read them.',
        },
        hasRemoteAgents: {
          needs: [{ setting: 'client.showA2AStatus' }],
          type: ['boolean', 'null'],
          default: null,
          description:
            'true: the line of remote agents in the menu is there before the connection has told of them; null: from then on, where there are any; false: never.',
        },
        remoteAgentDisplays: {
          needs: [{ setting: 'client.hasRemoteAgents', is: true }, { setting: 'client.showA2AStatus' }],
          type: 'array',
          items: {
            type: 'object',
            additionalProperties: false,
            required: ['name'],
            properties: {
              name: { ...agentName, description: 'Name of the agent in the menu.' },
              agentCardUrl: {
                ...agentCardUrl,
                type: ['string', 'null'],
                maxLength: 2000,
                default: null,
                description: 'Address that stands beside the name; null shows none.',
              },
            },
          },
          maxItems: 50,
          default: [],
          description:
            'The agents that the menu names until then, as connecting. For display alone, and anybody can read them.',
        },
        webMcp: {
          type: 'boolean',
          default: false,
          description: 'Tools that the page offers by WebMCP become UI actions, in browsers that have it.',
        },
      },
      description:
        'How the widget of your pages looks and what it offers, laid over the top level; /helper/embed goes by the top level alone.',
    },
  },
} as const satisfies SectionSchema;
