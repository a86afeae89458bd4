import type { Requirement } from '../requirement.ts';

const http = 'test/integration/dashboard.test.ts';
const browser = 'test/browser/dashboard.test.ts';
const guide = 'test/integration/dashboard-guide.test.ts';
const figures = 'test/unit/adapters/hourly-metrics/hourly-metrics.test.ts';
const hourBook = 'test/unit/adapters/hourly-metrics/hour-book.test.ts';
const asked = 'test/unit/channels/dashboard/read-asked.test.ts';
const csv = 'test/unit/channels/dashboard/metrics-csv.test.ts';

/** The statements about the dashboard and its figures. */
export const dashboardRequirements: readonly Requirement[] = [
  {
    id: 'service-2.15-31',
    tests: [
      { file: http, title: 'has no figures, is open, and lets no text become code or style' },
      { file: browser, title: 'show names as they are: none becomes markup' },
    ],
  },
  {
    id: 'service-2.15-32',
    tests: [
      { file: http, title: 'is refused as 401 to %s' },
      { file: http, title: 'is refused as 403 to a user without the role, which the answer names' },
      { file: http, title: 'is answered to the role, in a header or in the cookie' },
      { file: http, title: 'is answered to another role that dashboardRole names' },
    ],
  },
  {
    id: 'service-2.15-33',
    tests: [
      {
        file: http,
        title: 'is answered to anyone with an empty dashboardRole, whatever token they have, and not to other websites',
      },
      { file: 'test/unit/config/warnings.test.ts', title: 'figures for anyone' },
    ],
  },
  {
    id: 'service-2.15-34',
    tests: [
      { file: browser, title: 'signed in by the cookie of the application, sees the figures at once' },
      {
        file: browser,
        title: 'signed out, is told to sign in, and with a token sees the figures until it is forgotten',
      },
      { file: browser, title: 'with a token that is not valid is told so, and can try another' },
      { file: browser, title: 'without the role is told which one, and is not asked for again and again' },
      {
        file: browser,
        title: 'where nobody can sign in, is told what to set, in the language of the configuration',
      },
    ],
  },
  {
    id: 'service-2.15-35',
    tests: [
      {
        file: http,
        title: 'are of turns, models, actions, confirmations and faults, and never of what was said',
      },
      { file: http, title: 'are of the hours that were asked for' },
      {
        file: asked,
        title: 'is the last 24 hours in JSON, the one that runs included, when the query says nothing',
      },
      { file: asked, title: 'grows to whole hours' },
      { file: browser, title: 'are of the range "%s" that is chosen, and the address keeps it' },
    ],
  },
  {
    id: 'service-2.15-36',
    tests: [
      { file: http, title: 'are given as CSV too, table by table' },
      { file: csv, title: 'quote what needs it, and keep a text from being run as a formula' },
      { file: browser, title: 'can be saved, each table as CSV and all as JSON' },
      { file: guide, title: 'gives the figures to the token and the commands that it shows' },
    ],
  },
  {
    id: 'service-2.15-37',
    tests: [
      {
        file: http,
        title: 'are of turns, models, actions, confirmations and faults, and never of what was said',
      },
      { file: http, title: 'tell how callbacks do' },
      { file: browser, title: 'are told of the moment, and again after 15 seconds' },
    ],
  },
  {
    id: 'service-2.15-38',
    tests: [
      { file: figures, title: 'count calls of models, and what those with a price cost' },
      { file: figures, title: 'find the price of a model whatever its name is' },
      { file: figures, title: 'count tokens from a cache of the provider, at the price of input tokens' },
      { file: http, title: 'tell of the tokens that the provider has read from its cache' },
      { file: http, title: 'take changed prices without one' },
    ],
  },
  {
    id: 'service-2.15-39',
    tests: [
      { file: http, title: 'go on where the server was told to end' },
      { file: http, title: 'lose after a crash no more than metricsPersistenceInterval has not stored' },
      { file: hourBook, title: 'goes on with the hour that an earlier process has left' },
    ],
  },
  {
    id: 'service-2.15-40',
    tests: [{ file: figures, title: 'are stored at every interval and at the end, and old hours are deleted' }],
  },
  {
    id: 'service-2.15-41',
    tests: [
      {
        file: http,
        title: 'are of turns, models, actions, confirmations and faults, and never of what was said',
      },
      {
        file: figures,
        title: 'count what comes after 200 names as other, and cut names that are longer than a price can have',
      },
    ],
  },
  {
    id: 'service-2.15-42',
    tests: [
      { file: browser, title: 'in %s: axe-core finds nothing, and nothing is wider than a phone' },
      { file: browser, title: 'are pictures that say what they show, with the same numbers in a table' },
    ],
  },
  {
    id: 'service-2.15-43',
    tests: [
      { file: http, title: 'are those of the last hour by steps of five minutes, with step=5m' },
      { file: figures, title: 'are the last hour by steps of five minutes too' },
      { file: hourBook, title: 'knows the latest hours by steps of five minutes too, over a restart' },
      { file: asked, title: 'is the last hour by steps of five minutes with step=5m, and grows to whole ones' },
      { file: browser, title: 'are of the range "%s" that is chosen, and the address keeps it' },
    ],
  },
  {
    id: 'service-2.15-44',
    tests: [
      { file: figures, title: 'count what users said by action' },
      { file: figures, title: 'count actions, confirmations, callbacks, refusals and connections' },
      { file: figures, title: 'count snapshots and files by reason' },
      { file: csv, title: 'have the confirmations of each action, connections, snapshots and files' },
      {
        file: browser,
        title: 'are of confirmations by action, visits, saved conversations and what is switched on, too',
      },
    ],
  },
  {
    id: 'service-2.15-45',
    tests: [{ file: figures, title: 'have the most connections of an hour in which none was opened or ended' }],
  },
  {
    id: 'service-2.15-46',
    tests: [{ file: http, title: 'say which options are on, and what the server has warned of' }],
  },
  {
    id: 'service-2.15-47',
    tests: [
      { file: figures, title: 'count turns by channel and status, and their times' },
      {
        file: 'test/unit/adapters/metrics/prometheus-metrics.test.ts',
        title: 'leaves refused turns out of the times, which they would shorten',
      },
    ],
  },
  {
    id: 'service-2.15-48',
    tests: [
      { file: figures, title: 'load from hours that the version before has stored' },
      { file: hourBook, title: 'keeps series that it does not know, such as those of a later version' },
    ],
  },
];
