import type { Requirement } from '../requirement.ts';

const planted = 'test/integration/planted-words.test.ts';
const tenancy = 'test/integration/tenancy.test.ts';
const figures = 'test/integration/tenant-figures.test.ts';
const labels = 'test/unit/adapters/metrics/tenant-metrics.test.ts';
const series = 'test/unit/adapters/hourly-metrics/tenant-series.test.ts';
const page = 'test/browser/dashboard.test.ts';
const stores = 'test/unit/adapters/stores/metrics-store.test.ts';
const storage = 'test/unit/adapters/stores/embedded-storage.test.ts';

/** The statements of `docs/contract` about tenants. */
export const tenancyRequirements: readonly Requirement[] = [
  {
    id: 'configuration-7-30',
    tests: [
      { file: tenancy, title: 'answers no confirmation and stops no turn of the hub' },
      { file: tenancy, title: 'neither saves nor puts back a conversation' },
      { file: tenancy, title: 'takes over no turn of the hub' },
      { file: tenancy, title: 'goes on with no stream of server-sent events' },
      { file: tenancy, title: 'has messages, turns and connections of its own to use up' },
    ],
  },
  {
    id: 'configuration-7-31',
    tests: [
      { file: tenancy, title: 'is refused at %s' },
      { file: tenancy, title: 'is one whose claim holds %s' },
    ],
  },
  {
    id: 'configuration-7-32',
    tests: [
      { file: tenancy, title: 'is told apart by actions' },
      { file: tenancy, title: 'is told apart by callbacks' },
    ],
  },
  {
    id: 'configuration-7-33',
    tests: [{ file: tenancy, title: 'come from the claims of the user that the program vouches for' }],
  },
  { id: 'configuration-7-34', tests: [{ file: tenancy, title: 'are read by %s alone' }] },
  {
    id: 'configuration-7-60',
    tests: [
      { file: tenancy, title: 'is offered to %s, and called by them, as it should be' },
      { file: tenancy, title: 'is in neither the tour, nor the suggestions, nor on the demo page' },
      { file: tenancy, title: 'of a callback is offered to its users alone' },
    ],
  },
  {
    id: 'configuration-7-62',
    tests: [
      {
        file: planted,
        title: 'are seen by who may, and neither heard by nor sent for anybody else, on every channel',
      },
      { file: planted, title: 'are neither heard nor sent for anybody else in the same process' },
    ],
  },
  { id: 'configuration-7-61', tests: [{ file: tenancy, title: 'is named in the warnings of %s' }] },
  {
    id: 'configuration-7-63',
    tests: [
      { file: figures, title: 'tell what their callers do under the label tenant, on every channel' },
      { file: figures, title: 'tell the turns and questions that wait now, each of their tenant' },
      {
        file: figures,
        title:
          'count what is refused for the tenant of a user who is signed in, and for none of a caller whom nobody knows',
      },
      {
        file: figures,
        title:
          'tell what the server does beside and after their turns: searches, callbacks, memory and its calls of the model',
      },
      { file: figures, title: 'have no such label without tenancy.claim' },
      { file: labels, title: 'is on what callers do, and on nothing that the server does by itself' },
      { file: labels, title: 'shows counters whose labels are known at 0 from the first thing that a tenant does' },
      { file: labels, title: 'is an attribute over OTLP, of the series of tenants alone' },
      { file: labels, title: 'is not there without tenants, whatever is counted for one' },
    ],
  },
  {
    id: 'configuration-7-64',
    tests: [
      { file: labels, title: 'takes 100 tenants, and counts those that come later together as other' },
      { file: labels, title: 'is one of its own for a tenant whose name is other' },
      { file: labels, title: 'tells all names of tenants apart, on one line each' },
    ],
  },
  {
    id: 'configuration-7-65',
    tests: [
      { file: figures, title: 'has the figures of its own callers alone, as JSON and as CSV' },
      { file: figures, title: 'tell the turns and questions that wait now, each of their tenant' },
      { file: figures, title: 'goes on after a restart where it was' },
      { file: figures, title: 'says nothing of the warnings of the server, which name what is there for others' },
      {
        file: page,
        title: 'in a tenant, is told whose figures these are, and sees those of nobody else and no warnings',
      },
      { file: series, title: 'are of each tenant alone, and beside those of all callers' },
      { file: series, title: 'go on over a restart, by the hour and by steps' },
      { file: series, title: 'of one tenant that cannot be stored hold up no other, and are not lost' },
      { file: stores, title: 'keeps the hours of each tenant apart, and from those of all' },
    ],
  },
  {
    id: 'configuration-7-66',
    tests: [
      { file: figures, title: 'is that of all tenants together with an empty dashboardRole, whoever asks' },
      {
        file: storage,
        title: 'bring the hourly figures of a version without tenants forward, as those of all callers',
      },
      { file: series, title: 'are not counted without tenants' },
    ],
  },
  {
    id: 'configuration-7-67',
    tests: [
      {
        file: series,
        title: 'are counted of any number of tenants, as long as each is stored before there are too many',
      },
      {
        file: series,
        title:
          'are left out for a tenant that comes while as many others as may be held wait to be stored or are connected',
      },
    ],
  },
  { id: 'configuration-7-68', tests: [{ file: figures, title: 'names the tenant of its caller' }] },
  { id: 'configuration-7-35', tests: [{ file: tenancy, title: 'are read by %s alone' }] },
];
