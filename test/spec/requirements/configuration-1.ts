import type { Requirement } from '../requirement.ts';

const loadSettings = 'test/unit/config/load-settings.test.ts';
const duration = 'test/unit/config/duration.test.ts';
const substitution = 'test/unit/config/substitution.test.ts';
const shapeFaults = 'test/unit/config/shape-faults.test.ts';
const warnings = 'test/unit/config/warnings.test.ts';
const cli = 'test/integration/cli.test.ts';
const token = 'test/unit/cli/token.test.ts';
const signInGuide = 'test/integration/sign-in-guide.test.ts';
const patterns = 'test/unit/adapters/shared/patterns/pattern-fault.test.ts';

/** How the configuration is read, what a fault says, and the commands. */
export const configurationSection1: readonly Requirement[] = [
  {
    id: 'configuration-1-01',
    tests: [
      {
        file: loadSettings,
        title:
          'matches enum values without regard to case and gives them their own spelling (contract/configuration.md#reading)',
      },
    ],
  },
  {
    id: 'configuration-1-02',
    tests: [
      {
        file: loadSettings,
        title: 'reads durations and sizes in every form, 0 without a unit included (contract/configuration.md#reading)',
      },
      { file: duration, title: 'reads 500ms' },
      { file: duration, title: 'reads 00:00:15' },
      { file: duration, title: 'refuses 15' },
      { file: shapeFaults, title: 'reports a duration without a unit' },
    ],
  },
  {
    id: 'configuration-1-03',
    tests: [
      { file: duration, title: 'reads 4MiB' },
      { file: duration, title: 'reads 1048576' },
      { file: duration, title: 'refuses 4MB' },
    ],
  },
  {
    id: 'configuration-1-04',
    tests: [
      { file: substitution, title: '${NAME} in a text becomes Ann' },
      { file: substitution, title: '${NOBODY:-someone} in a text becomes someone' },
      { file: substitution, title: 'does not expand what it put in, inside lists and maps either' },
      { file: substitution, title: 'names the key and the variable that is not set' },
    ],
  },
  {
    id: 'configuration-1-05',
    tests: [
      { file: substitution, title: 'win over the file' },
      { file: substitution, title: 'of unknown names are faults: %o' },
    ],
  },
  {
    id: 'configuration-1-06',
    tests: [
      { file: loadSettings, title: 'resolves paths against the file (contract/configuration.md#reading)' },
      {
        file: loadSettings,
        title:
          'resolves storage.path and dataProtection.keyFile against the working directory where the environment sets them (contract/configuration.md#reading)',
      },
    ],
  },
  {
    id: 'configuration-1-07',
    tests: [
      { file: shapeFaults, title: 'reports everything at once, cross-field faults included, in the order of the file' },
      { file: cli, title: 'prints every fault to stderr and exits with 78 (contract/configuration.md#faults)' },
    ],
  },
  {
    id: 'configuration-1-08',
    tests: [
      { file: shapeFaults, title: 'suggests the nearest valid name for server: { prot: 1 }\n' },
      { file: shapeFaults, title: 'knows no key of a feature that is not there: zzz: 1\n' },
    ],
  },
  {
    id: 'configuration-1-09',
    tests: [
      { file: shapeFaults, title: 'hide a metrics token' },
      { file: shapeFaults, title: 'hide a substituted number' },
      { file: shapeFaults, title: 'show *** in their place' },
    ],
  },
  {
    id: 'configuration-1-10',
    tests: [{ file: cli, title: 'finds nothing wrong with what helper init wrote, and says what would be served' }],
  },
  { id: 'configuration-1-11', tests: [{ file: warnings, title: 'has every code documented' }] },
  {
    id: 'configuration-1-41',
    tests: [
      {
        file: 'test/integration/glob-warnings.test.ts',
        title: 'are warned of with what was probably meant: %s',
      },
    ],
  },
  {
    id: 'configuration-1-12',
    tests: [
      {
        file: signInGuide,
        title:
          'lets a supervisor refund with the token of helper token, and a user without the role not (contract/identity.md)',
      },
      { file: token, title: 'signs a token with the user, the roles, the audience and an hour' },
    ],
  },
  {
    id: 'configuration-2-94',
    tests: [
      { file: 'test/integration/routing.test.ts', title: 'is a fault: a pattern that can take for ever' },
      { file: 'test/integration/routing.test.ts', title: 'is a fault: a pattern that tries too much from each place' },
      { file: patterns, title: 'is refused where each place of a long text takes many steps: %s' },
      { file: patterns, title: 'is taken where a long repetition is tried from few places: %s' },
      {
        file: patterns,
        title: 'is taken where an engine compares less than 1,000 characters from each place: %s',
      },
    ],
  },
];
