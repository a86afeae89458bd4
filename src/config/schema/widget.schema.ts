import { displayOptions } from './display-options.ts';
import type { SectionSchema } from './setting-schema.ts';

/** How the widget looks and what it shows (contract/widget.md#looks). */
export const widgetSection = {
  title: 'Widget and replies',
  type: 'object',
  additionalProperties: false,
  properties: {
    enableActionFeedback: {
      type: 'boolean',
      default: true,
      description: 'Shows a feedback line while a tool runs.',
    },
    enableRichResponses: {
      type: 'boolean',
      default: true,
      description: 'Asks the model for Markdown; false asks for short plain text.',
    },
    demoPage: {
      needs: [{ setting: 'server.channels', is: 'hub' }],
      type: 'boolean',
      default: false,
      description: 'Serves a demo page with the widget at /.',
    },
    aiDisclosure: {
      type: 'boolean',
      default: true,
      description:
        'Says in the widget, before the first message and in its header, that an AI answers (EU AI Act, article 50).',
    },
    botName: {
      ...displayOptions.botName,
      default: 'Helper AI',
      description: "Name in the widget's header.",
    },
    welcomeMessage: {
      ...displayOptions.welcomeMessage,
      description:
        'Greets the user while the chat is empty, in place of the built-in words; HTML of p, br, b, strong, i, em, u, a, ul, ol, li, code, img and span, all else is shown as text.',
    },
    theme: {
      ...displayOptions.theme,
      default: 'Default',
      description:
        "Look of the widget; Custom leaves the styling to your page, Auto is light or dark as the page is, else as the user's system is.",
    },
    position: {
      ...displayOptions.position,
      default: 'BottomRight',
      description: 'Corner of the widget; the Side values give a full-height panel.',
    },
    primaryColor: { ...displayOptions.primaryColor, description: "Accent colour; null keeps the theme's." },
    avatarUrl: {
      ...displayOptions.avatarUrl,
      description: 'Image of the assistant, relative to the page; null uses the built-in one.',
    },
    inputPlaceholder: {
      ...displayOptions.inputPlaceholder,
      description: 'Text of the empty input; null uses one in the language.',
    },
    enableSuggestions: {
      type: 'boolean',
      default: true,
      description: 'Shows buttons with first messages in the empty chat, where there are any.',
    },
    enableFollowUps: {
      type: 'boolean',
      default: false,
      description:
        'Offers up to three next messages after an answer: classifierChatClient is asked for them, one call each; without it they are examples.',
    },
    enableFeedback: {
      type: 'boolean',
      default: true,
      description: 'Lets users rate replies; false takes the buttons and the endpoint away.',
    },
    enableOnboardingTour: {
      type: 'boolean',
      default: false,
      description: 'Offers a tour of your pages to whoever opens the chat for the first time.',
    },
    enableVoiceInput: {
      type: 'boolean',
      default: false,
      description:
        "Shows a microphone button where the browser recognises speech; the browser's maker may hear it too.",
    },
    enableVoiceOutput: {
      type: 'boolean',
      default: false,
      description: 'Shows a button with which users have replies read aloud.',
    },
    voiceStreaming: {
      needs: [[{ setting: 'enableVoiceOutput' }, { setting: 'client.enableVoiceOutput' }]],
      type: 'boolean',
      default: true,
      description: 'Reads each sentence aloud as soon as it is there; false waits for the end of the reply.',
    },
    voiceBargeIn: {
      needs: [[{ setting: 'enableVoiceOutput' }, { setting: 'client.enableVoiceOutput' }]],
      type: 'boolean',
      default: true,
      description: 'Stops reading when the user speaks, sends, stops or begins a new conversation.',
    },
    voiceHandsFree: {
      needs: [
        [{ setting: 'enableVoiceInput' }, { setting: 'client.enableVoiceInput' }],
        [{ setting: 'enableVoiceOutput' }, { setting: 'client.enableVoiceOutput' }],
      ],
      type: 'boolean',
      default: false,
      description: 'Sends what was said, and listens again after the reply was read; needs both voice options.',
    },
    voiceRate: {
      needs: [[{ setting: 'enableVoiceOutput' }, { setting: 'client.enableVoiceOutput' }]],
      type: 'number',
      minimum: 0.1,
      maximum: 10,
      default: 1,
      description: 'How fast replies are read aloud: 0.5 to 2, anything beyond counts as these.',
    },
  },
} as const satisfies SectionSchema;
