import type { Requirement } from '../requirement.ts';

const instructions = 'test/unit/core/prompt/instructions.test.ts';
const loadSettings = 'test/unit/config/load-settings.test.ts';
const texts = 'test/unit/core/language/texts.test.ts';
const textsToo = 'test/unit/widget/texts/texts.test.ts';
const specGapsActions = 'test/integration/spec-gaps-actions.test.ts';
const rules = 'test/unit/config/rules.test.ts';
const pluginTools = 'test/unit/adapters/plugin-directory/read/plugin-tools.test.ts';

/** The statements whose ids begin with `service-2.3`. */
export const serviceSection2Point3: readonly Requirement[] = [
  {
    id: 'service-2.3-01',
    tests: [{ file: instructions, title: 'names the application and its description' }],
  },
  {
    id: 'service-2.3-02',
    tests: [{ file: instructions, title: 'names the application and its description' }],
  },
  {
    id: 'service-2.3-03',
    tests: [
      { file: loadSettings, title: 'takes the language %s' },
      { file: loadSettings, title: 'fills in every default of contract/assistant.md and contract/sessions.md#length' },
    ],
  },
  {
    id: 'service-2.3-04',
    tests: [{ file: instructions, title: 'answers in the configured language' }],
  },
  {
    id: 'service-2.3-05',
    tests: [{ file: texts, title: 'is there in %s, with the same placeholders as in English' }],
  },
  {
    id: 'service-2.3-06',
    tests: [
      { file: textsToo, title: 'there are as many as languages, each with its own tag' },
      { file: textsToo, title: '%s has every text, with the same placeholders as English' },
      { file: textsToo, title: '%s has no English left in it' },
    ],
  },
  {
    id: 'service-2.3-07',
    tests: [
      { file: specGapsActions, title: 'name an argument by its title, else by its name, and show the raw value' },
    ],
  },
  {
    id: 'service-2.3-08',
    tests: [{ file: instructions, title: 'Minimal: no explanations or suggestions' }],
  },
  {
    id: 'service-2.3-09',
    tests: [
      { file: instructions, title: 'Standard: balanced' },
      { file: loadSettings, title: 'fills in every default of contract/assistant.md and contract/sessions.md#length' },
    ],
  },
  {
    id: 'service-2.3-10',
    tests: [{ file: instructions, title: 'Proactive: explains' }],
  },
  {
    id: 'service-2.3-11',
    tests: [{ file: instructions, title: 'Proactive: suggests next steps' }],
  },
  {
    id: 'service-2.3-12',
    tests: [{ file: instructions, title: 'Proactive: warns of risks' }],
  },
  {
    id: 'service-2.3-13',
    tests: [{ file: instructions, title: 'Proactive: offers only what a tool or page can perform' }],
  },
  {
    id: 'service-2.3-14',
    tests: [{ file: rules, title: 'must exist: chatClient' }],
  },
  {
    id: 'service-2.3-15',
    tests: [
      { file: pluginTools, title: 'pages, models and hooks are handed over as they were declared' },
      { file: rules, title: 'a directory that is named must exist: [nowhere]' },
    ],
  },
];
