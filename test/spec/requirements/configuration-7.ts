import type { Requirement } from '../requirement.ts';

const looks = 'test/browser/looks.test.ts';
const warnings = 'test/unit/config/warnings.test.ts';
const server = 'test/integration/spec-gaps-server.test.ts';

/** What configuration.md 7 adds to service.md, as far as it is built. */
export const configurationSection7: readonly Requirement[] = [
  {
    id: 'configuration-7-01',
    source: 'configuration.md 7',
    says: 'aiDisclosure: the widget says, before the first message and in the header, that an AI answers; off is a startup warning.',
    tests: [
      { file: looks, title: 'is said before the first message and in the header, in the language' },
      { file: looks, title: 'is not said by the widget where the configuration takes it away' },
      { file: warnings, title: 'an AI that is not said to be one (configuration.md 7)' },
    ],
  },
  {
    id: 'configuration-7-02',
    source: 'configuration.md 7',
    says: 'Connected.settings carries aiDisclosure for other clients.',
    tests: [{ file: server, title: 'tells a hub client the settings of the configuration' }],
  },
  {
    id: 'configuration-7-03',
    source: 'configuration.md 7',
    says: "theme: Auto follows the page's colour scheme, else the system's.",
    tests: [
      { file: looks, title: 'a dark page' },
      { file: looks, title: 'a page that says nothing, on a dark system' },
      { file: looks, title: 'follows while the page is open, closed panel and open one' },
    ],
  },
];
