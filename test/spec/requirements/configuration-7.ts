import type { Requirement } from '../requirement.ts';

const loadSettings = 'test/unit/config/load-settings.test.ts';
const looks = 'test/browser/looks.test.ts';
const warnings = 'test/unit/config/warnings.test.ts';
const server = 'test/integration/spec-gaps-server.test.ts';
const killSwitch = 'test/integration/kill-switch.test.ts';
const webMcp = 'test/browser/webmcp.test.ts';
const backup = 'test/integration/backup.test.ts';
const backupFaults = 'test/integration/backup-faults.test.ts';
const secretFiles = 'test/integration/secret-files.test.ts';
const keyFiles = 'test/integration/key-files.test.ts';
const certificate = 'test/integration/certificate.test.ts';
const reload = 'test/integration/reload.test.ts';

/** The statements whose ids begin with `configuration-7`. */
export const configurationSection7: readonly Requirement[] = [
  {
    id: 'configuration-7-01',
    tests: [
      { file: looks, title: 'is said before the first message and in the header, in the language' },
      { file: looks, title: 'is not said by the widget where the configuration takes it away' },
      { file: warnings, title: 'an AI that is not said to be one (contract/widget.md#looks)' },
    ],
  },
  {
    id: 'configuration-7-02',
    tests: [{ file: server, title: 'tells a hub client the settings of the configuration' }],
  },
  {
    id: 'configuration-7-03',
    tests: [
      { file: looks, title: 'a dark page' },
      { file: looks, title: 'a page that says nothing, on a dark system' },
      { file: looks, title: 'follows while the page is open, closed panel and open one' },
    ],
  },
  {
    id: 'configuration-7-04',
    tests: [{ file: killSwitch, title: 'refuses writes, tells the model so, and is listed on /readyz' }],
  },
  {
    id: 'configuration-7-05',
    tests: [
      {
        file: killSwitch,
        title: 'takes a change of the file within 5 s, without a restart, also for a question that stands open',
      },
    ],
  },
  { id: 'configuration-7-06', tests: [{ file: killSwitch, title: 'stays as it is while the file has faults' }] },
  {
    id: 'configuration-7-07',
    tests: [
      { file: webMcp, title: 'ask first, run in the page once approved, and their answer goes to the model as data' },
      { file: webMcp, title: 'stay what they are without the setting: nothing is fetched or offered' },
    ],
  },
  {
    id: 'configuration-7-08',
    tests: [
      {
        file: reload,
        title:
          'is taken for new turns, is named on /readyz and in each turn’s log line; what needs a restart is named and left',
      },
      {
        file: 'test/unit/docs/reload-guide.test.ts',
        title: 'is listed in the guide: each key whose change is taken, and no other',
      },
      {
        file: 'test/unit/docs/reload-guide.test.ts',
        title: 'is named when a key is added or taken out, as what waits for a restart is',
      },
    ],
  },
  {
    id: 'configuration-7-09',
    tests: [
      { file: reload, title: 'leaves a running turn with what it began with' },
      { file: reload, title: 'closes the model of before once no turn needs it, and no earlier' },
    ],
  },
  { id: 'configuration-7-10', tests: [{ file: reload, title: 'with faults changes nothing, and says why' }] },
  {
    id: 'configuration-7-11',
    tests: [
      { file: reload, title: 'is taken by SIGHUP' },
      { file: reload, title: 'is taken by itself with server.watch' },
      { file: reload, title: 'is asked for over a socket that nobody else may use, and that goes with the server' },
    ],
  },
  {
    id: 'configuration-7-46',
    tests: [
      { file: backup, title: 'of a server with hitlMode Blocking brings no question back, and the command says so' },
    ],
  },
  {
    id: 'configuration-7-43',
    tests: [{ file: reload, title: 'is taken by SIGHUP that comes while the server starts, once it serves' }],
  },
  {
    id: 'configuration-7-44',
    tests: [
      {
        file: 'test/unit/config/configuration-hash.test.ts',
        title: 'does not change with the kill switch, which counts without a reload',
      },
    ],
  },
  {
    id: 'configuration-7-45',
    tests: [
      {
        file: 'test/integration/secret-files.test.ts',
        title: 'counts while the kill switch is on, which nobody has to reload',
      },
    ],
  },
  {
    id: 'configuration-7-12',
    tests: [
      { file: backup, title: 'is whole while turns are stored all the time, and leaves nothing beside the database' },
      { file: backup, title: 'is never written over another file, and nothing is left where it fails' },
      {
        file: backupFaults,
        title: 'is refused before anything is written, and leaves no half of a file where it was to go',
      },
      { file: backupFaults, title: 'is not made twice at once: the second is refused, and the first is whole' },
      { file: backupFaults, title: 'that fills up in the middle leaves nothing, and the server goes on' },
    ],
  },
  {
    id: 'configuration-7-13',
    tests: [
      {
        file: backup,
        title:
          'of a running server is put back after its disk is lost: a question that was open is answered once, and what came later is gone',
      },
      { file: backup, title: 'takes the place of nothing without being told to, nor of what a server uses' },
    ],
  },
  {
    id: 'configuration-7-14',
    tests: [
      {
        file: 'test/integration/retention.test.ts',
        title: 'is known for retention.journal, over restarts, and then forgotten',
      },
      {
        file: loadSettings,
        title:
          'keeps what is stored for as long as contract/operations.md#retention and contract/memory.md#storage say',
      },
    ],
  },
  {
    id: 'configuration-7-20',
    tests: [
      { file: certificate, title: 'gives new connections a renewed certificate, and lets those that are open go on' },
    ],
  },
  {
    id: 'configuration-7-21',
    tests: [
      {
        file: certificate,
        title: 'stays with the earlier one while the pair cannot be used, says so, and takes it once it can',
      },
    ],
  },
  {
    id: 'configuration-7-22',
    tests: [
      {
        file: secretFiles,
        title: 'counts without a restart: for tokens of users and the one of metrics, whose earlier ones are refused',
      },
      {
        file: secretFiles,
        title: 'counts for the keys of models and the signatures of callbacks and of sources of documents',
      },
      {
        file: keyFiles,
        title: 'count without a restart: the first one seals, all of them open, and one that is gone opens nothing',
      },
    ],
  },
  {
    id: 'configuration-7-23',
    tests: [
      {
        file: secretFiles,
        title: 'that cannot be used changes nothing, and what needs a restart is named; the log shows no secret',
      },
      { file: keyFiles, title: 'that cannot be used change nothing' },
    ],
  },
  {
    id: 'configuration-7-24',
    tests: [{ file: secretFiles, title: 'waits for a reload while the configuration file has changes that do' }],
  },
  {
    id: 'configuration-7-25',
    tests: [
      {
        file: keyFiles,
        title: 'count without a restart: the first one seals, all of them open, and one that is gone opens nothing',
      },
      { file: keyFiles, title: 'are taken by a reload, which says so when what was sealed until now stays closed' },
      {
        file: keyFiles,
        title: 'counts without a restart when it is another one, and changes nothing while it is no key',
      },
      {
        file: 'test/unit/app/live-sealers.test.ts',
        title:
          'records of turns are sealed with the first key of now, and opened with all of them (contract/operations.md#secrets)',
      },
    ],
  },
  {
    id: 'configuration-7-26',
    tests: [
      { file: keyFiles, title: 'counts without another change' },
      {
        file: 'test/unit/app/live-certificate.test.ts',
        title: 'a certificate that was renewed before the watch began is taken (contract/operations.md#certificates)',
      },
    ],
  },
  {
    id: 'configuration-7-27',
    tests: [
      {
        file: backupFaults,
        title: 'at a write, sync or renaming leaves the earlier database whole, or the backup',
      },
      {
        file: backupFaults,
        title: 'by a disk that fails from some moment on says so, and a server finds the earlier database',
      },
      { file: backupFaults, title: 'is refused by an older one, which says so and changes nothing' },
    ],
  },
];
