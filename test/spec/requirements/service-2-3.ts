import type { Requirement } from '../requirement.ts';

const instructions = 'test/unit/core/prompt/instructions.test.ts';
const loadSettings = 'test/unit/config/load-settings.test.ts';
const texts = 'test/unit/core/language/texts.test.ts';
const textsToo = 'test/unit/widget/texts/texts.test.ts';
const specGapsActions = 'test/integration/spec-gaps-actions.test.ts';
const rules = 'test/unit/config/rules.test.ts';
const pluginTools = 'test/unit/adapters/plugin-directory/read/plugin-tools.test.ts';

/** service.md 2.3. */
export const serviceSection2Point3: readonly Requirement[] = [
  {
    id: 'service-2.3-01',
    source: 'service.md 2.3',
    says: 'AppName goes into the system prompt.',
    tests: [{ file: instructions, title: 'names the application and its description' }],
  },
  {
    id: 'service-2.3-02',
    source: 'service.md 2.3',
    says: 'AppDescription is context for the model.',
    tests: [{ file: instructions, title: 'names the application and its description' }],
  },
  {
    id: 'service-2.3-03',
    source: 'service.md 2.3',
    says: 'Language is one of ten, English by default.',
    tests: [
      { file: loadSettings, title: 'takes the language %s' },
      { file: loadSettings, title: 'fills in every default of service.md 2.3 to 2.9' },
    ],
  },
  {
    id: 'service-2.3-04',
    source: 'service.md 2.3',
    says: 'Language is the language of replies.',
    tests: [{ file: instructions, title: 'answers in the configured language' }],
  },
  {
    id: 'service-2.3-05',
    source: 'service.md 2.3',
    says: 'Language is the language of what the server says.',
    tests: [{ file: texts, title: 'is there in %s, with the same placeholders as in English' }],
  },
  {
    id: 'service-2.3-06',
    source: 'service.md 2.3',
    says: "Language is the language of the widget's texts.",
    tests: [
      { file: textsToo, title: 'there are as many as languages, each with its own tag' },
      { file: textsToo, title: '%s has every text, with the same placeholders as English' },
      { file: textsToo, title: '%s has no English left in it' },
    ],
  },
  {
    id: 'service-2.3-07',
    source: 'service.md 2.3',
    says: "Confirmation text comes from the action's description and parameter names, which are not translated.",
    tests: [
      { file: specGapsActions, title: 'name an argument by its title, else by its name, and show the raw value' },
    ],
  },
  {
    id: 'service-2.3-08',
    source: 'service.md 2.3',
    says: 'HelperLevel Minimal: no explanations or suggestions.',
    tests: [{ file: instructions, title: 'Minimal: no explanations or suggestions' }],
  },
  {
    id: 'service-2.3-09',
    source: 'service.md 2.3',
    says: 'HelperLevel Standard, the default: balanced.',
    tests: [
      { file: instructions, title: 'Standard: balanced' },
      { file: loadSettings, title: 'fills in every default of service.md 2.3 to 2.9' },
    ],
  },
  {
    id: 'service-2.3-10',
    source: 'service.md 2.3',
    says: 'HelperLevel Proactive: explains.',
    tests: [{ file: instructions, title: 'Proactive: explains' }],
  },
  {
    id: 'service-2.3-11',
    source: 'service.md 2.3',
    says: 'HelperLevel Proactive: suggests next steps.',
    tests: [{ file: instructions, title: 'Proactive: suggests next steps' }],
  },
  {
    id: 'service-2.3-12',
    source: 'service.md 2.3',
    says: 'HelperLevel Proactive: warns of risks.',
    tests: [{ file: instructions, title: 'Proactive: warns of risks' }],
  },
  {
    id: 'service-2.3-13',
    source: 'service.md 2.3',
    says: 'HelperLevel Proactive: offers a next step only when a tool or page can perform it.',
    tests: [{ file: instructions, title: 'Proactive: offers only what a tool or page can perform' }],
  },
  {
    id: 'service-2.3-14',
    source: 'service.md 2.3',
    says: 'ChatClient names the model that answers; it must exist.',
    tests: [{ file: rules, title: 'must exist: chatClient' }],
  },
  {
    id: 'service-2.3-15',
    source: 'service.md 2.3',
    says: 'ScanAssemblies, here the plugin directories, are scanned for actions and pages.',
    tests: [
      { file: pluginTools, title: 'pages, models and hooks are handed over as they were declared' },
      { file: rules, title: 'a directory that is named must exist: [nowhere]' },
    ],
  },
];
