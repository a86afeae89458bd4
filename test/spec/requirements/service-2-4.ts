import type { Requirement } from '../requirement.ts';

const loadSettings = 'test/unit/config/load-settings.test.ts';
const displayOptions = 'test/unit/widget/loader/override-display.test.ts';
const options = 'test/browser/options.test.ts';
const widgetOptions = 'test/unit/app/widget-options.test.ts';
const widgetSuggestions = 'test/unit/app/widget-suggestions.test.ts';
const suggestions = 'test/browser/suggestions.test.ts';
const runTurn = 'test/unit/core/turn/run-turn.test.ts';
const instructions = 'test/unit/core/prompt/instructions.test.ts';

/** The statements whose ids begin with `service-2.4`. */
export const serviceSection2Point4: readonly Requirement[] = [
  {
    id: 'service-2.4-01',
    tests: [
      { file: loadSettings, title: 'takes the widget option %s: %s (contract/widget.md#looks)' },
      {
        file: displayOptions,
        title: 'a page chooses how the widget looks, whatever the case (contract/widget.md#looks)',
      },
      { file: loadSettings, title: 'fills in every default of contract/assistant.md and contract/sessions.md#length' },
    ],
  },
  {
    id: 'service-2.4-02',
    tests: [{ file: runTurn, title: 'drops the three Action events with enableActionFeedback: false' }],
  },
  {
    id: 'service-2.4-03',
    tests: [
      { file: runTurn, title: 'shows a card before ActionCompleted, and none with enableGenerativeCards: false' },
    ],
  },
  {
    id: 'service-2.4-04',
    tests: [
      { file: instructions, title: 'asks for Markdown, or for short plain text with enableRichResponses: false' },
    ],
  },
  {
    id: 'service-2.4-05',
    tests: [
      {
        file: widgetOptions,
        title: 'enableSuggestions is on for the embed page, and off for the script (contract/widget.md#looks)',
      },
      { file: widgetSuggestions, title: 'are off by default' },
      {
        file: widgetSuggestions,
        title: 'come from read-only actions and pages that need no role and no further detail',
      },
      {
        file: suggestions,
        title: 'send themselves, make way for the conversation and leave the keyboard in the composer',
      },
    ],
  },
  {
    id: 'service-2.4-06',
    tests: [
      {
        file: 'test/browser/tour.test.ts',
        title:
          'is offered when the panel opens, begins by a press, stands beside its elements, and is not offered again',
      },
      {
        file: 'test/integration/tour.test.ts',
        title:
          'is answered whatever enableOnboardingTour says, below the base path, and offered to the widget only with it',
      },
    ],
  },
  {
    id: 'service-2.4-07',
    tests: [
      {
        file: 'test/browser/voice.test.ts',
        title: 'writes what it hears into the message, after what stood there, and sends nothing by itself',
      },
    ],
  },
  {
    id: 'service-2.4-08',
    tests: [
      {
        file: 'test/browser/voice.test.ts',
        title:
          'reads nothing before its button was pressed, then each sentence as it streams, without Markdown and code',
      },
      { file: 'test/browser/voice.test.ts', title: 'waits for the end of the reply with voiceStreaming: false' },
    ],
  },
  {
    id: 'service-2.4-09',
    tests: [
      { file: 'test/browser/voice.test.ts', title: 'stops reading at once: %s' },
      { file: 'test/browser/voice.test.ts', title: 'reads no more of a reply that the user stops' },
      {
        file: 'test/browser/voice.test.ts',
        title: 'goes on reading with voiceBargeIn: false, and reads the next reply after it',
      },
    ],
  },
  {
    id: 'service-2.4-10',
    tests: [
      {
        file: 'test/browser/voice.test.ts',
        title: 'talks hands-free: sends what it heard, reads the reply, and listens again after the last sentence',
      },
      {
        file: 'test/unit/app/client-options.test.ts',
        title: 'of voice: hands-free only with both, the script’s own choices first',
      },
    ],
  },
  {
    id: 'service-2.4-11',
    tests: [{ file: 'test/unit/app/client-options.test.ts', title: 'of voice: a rate of %s is %d' }],
  },
  {
    id: 'service-2.4-12',
    tests: [
      {
        file: options,
        title: 'stands in the empty chat before the suggestions, as elements and never as HTML',
      },
    ],
  },
  {
    id: 'service-2.4-13',
    tests: [{ file: options, title: '%s is that corner or side of the screen' }],
  },
  {
    id: 'service-2.4-14',
    tests: [{ file: options, title: 'is readable in every part of the theme %s' }],
  },
];
