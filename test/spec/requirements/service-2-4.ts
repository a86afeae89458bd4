import type { Requirement } from '../requirement.ts';

const loadSettings = 'test/unit/config/load-settings.test.ts';
const displayOptions = 'test/unit/widget/loader/override-display.test.ts';
const options = 'test/browser/options.test.ts';
const widgetOptions = 'test/unit/app/widget-options.test.ts';
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
      {
        file: widgetOptions,
        title: 'enableSuggestions is on for the embed page, and off for the script (service.md 2.4, 2.20)',
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
    source: 'service.md 2.4',
    says: 'EnableOnboardingTour: a guided tour from pages and tools; the server answers GET /helper/tour regardless.',
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
    source: 'service.md 2.4',
    says: 'EnableVoiceInput: a microphone button using the browser’s recognition; only the transcript reaches the service.',
    tests: [
      {
        file: 'test/browser/voice.test.ts',
        title: 'writes what it hears into the message, after what stood there, and sends nothing by itself',
      },
    ],
  },
  {
    id: 'service-2.4-08',
    source: 'service.md 2.4',
    says: 'EnableVoiceOutput reads replies aloud on the client; VoiceStreaming speaks each sentence as it streams.',
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
    source: 'service.md 2.4',
    says: 'VoiceBargeIn stops speech when the user presses the microphone, sends, presses Stop or starts a new conversation.',
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
    source: 'service.md 2.4',
    says: 'VoiceHandsFree: hands-free talking; ignored unless both voice options are on.',
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
    source: 'service.md 2.4',
    says: 'VoiceRate is the speech rate, of a useful range of 0.5 to 2.0.',
    tests: [{ file: 'test/unit/app/client-options.test.ts', title: 'of voice: a rate of %s is %d' }],
  },
  {
    id: 'service-2.4-12',
    source: 'service.md 2.4',
    says: 'WelcomeMessage is shown while the chat is empty; it is HTML.',
    tests: [
      {
        file: options,
        title: 'stands in the empty chat before the suggestions, as elements and never as HTML',
      },
    ],
  },
  {
    id: 'service-2.4-13',
    source: 'service.md 2.4',
    says: 'Position: six corners and sides; side values give a full-height side panel.',
    tests: [{ file: options, title: '%s is that corner or side of the screen' }],
  },
  {
    id: 'service-2.4-14',
    source: 'service.md 2.4',
    says: 'PrimaryColor is a hex colour; what is written on it, and it as a colour of text, is readable.',
    tests: [{ file: options, title: 'is readable in every part of the theme %s' }],
  },
];
