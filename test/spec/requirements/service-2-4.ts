import type { Requirement } from '../requirement.ts';

const loadSettings = 'test/unit/config/load-settings.test.ts';
const displayOptions = 'test/unit/widget/loader/override-display.test.ts';
const widgetSuggestions = 'test/unit/app/widget-suggestions.test.ts';
const suggestions = 'test/browser/suggestions.test.ts';
const runTurn = 'test/unit/core/turn/run-turn.test.ts';
const instructions = 'test/unit/core/prompt/instructions.test.ts';

/** service.md 2.4. */
export const serviceSection2Point4: readonly Requirement[] = [
  {
    id: 'service-2.4-01',
    source: 'service.md 2.4',
    says: 'Theme, Position, PrimaryColor, BotName, AvatarUrl and InputPlaceholder are options with these values and defaults.',
    tests: [
      { file: loadSettings, title: 'takes the widget option %s: %s (service.md 2.4)' },
      { file: displayOptions, title: 'a page chooses how the widget looks, whatever the case (configuration.md 4)' },
      { file: loadSettings, title: 'fills in every default of service.md 2.3 to 2.9' },
    ],
  },
  {
    id: 'service-2.4-02',
    source: 'service.md 2.4',
    says: 'EnableActionFeedback: over the hub emits ActionExecuting and ActionCompleted while a tool runs.',
    tests: [{ file: runTurn, title: 'drops the three Action events with enableActionFeedback: false' }],
  },
  {
    id: 'service-2.4-03',
    source: 'service.md 2.4',
    says: 'EnableGenerativeCards: a card returned by a tool renders as a card; false gives the model the data as text.',
    tests: [
      { file: runTurn, title: 'shows a card before ActionCompleted, and none with enableGenerativeCards: false' },
    ],
  },
  {
    id: 'service-2.4-04',
    source: 'service.md 2.4',
    says: 'EnableRichResponses asks for Markdown answers; false asks for short plain text.',
    tests: [
      { file: instructions, title: 'asks for Markdown, or for short plain text with enableRichResponses: false' },
    ],
  },
  {
    id: 'service-2.4-05',
    source: 'service.md 2.4',
    says: 'EnableSuggestions: starter chips in the welcome panel; the script of the widget has them by client.enableSuggestions alone, off by default.',
    tests: [
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
];
