import type { Requirement } from '../requirement.ts';

const specGapsServer = 'test/integration/spec-gaps-server.test.ts';
const opsChannel = 'test/unit/channels/ops/ops-channel.test.ts';
const prometheusMetrics = 'test/unit/adapters/metrics/prometheus-metrics.test.ts';
const embedPage = 'test/browser/embed-page.test.ts';
const cli = 'test/integration/cli.test.ts';

/** wire.md 6. */
export const wireSection6: readonly Requirement[] = [
  {
    id: 'wire-6-01',
    source: 'wire.md 6',
    says: 'GET /helper/widget.js is the widget loader with the client options inside; ETag; ?v=1.0.0 is accepted.',
    tests: [
      {
        file: specGapsServer,
        title: 'serves the widget script with the settings inside, for every page, under one ETag with and without ?v=',
      },
    ],
  },
  {
    id: 'wire-6-02',
    source: 'wire.md 6',
    says: 'It may be loaded by any page: Cross-Origin-Resource-Policy: cross-origin, Access-Control-Allow-Origin: *.',
    tests: [
      {
        file: specGapsServer,
        title: 'serves the widget script with the settings inside, for every page, under one ETag with and without ?v=',
      },
    ],
  },
  {
    id: 'wire-6-03',
    source: 'wire.md 6',
    says: 'Chunks are content-hashed and immutable.',
    tests: [{ file: specGapsServer, title: 'serves the chunks of the widget under names of their content, immutable' }],
  },
  {
    id: 'wire-6-60',
    source: 'wire.md 6',
    says: 'GET /helper/embed is a full page with the widget open; CSP frame-ancestors from endpoints.embed.frameAncestors, no X-Frame-Options.',
    tests: [
      { file: embedPage, title: 'is the open chat and nothing beside it, and takes the focus from nobody' },
      {
        file: 'test/unit/channels/widget/widget-channel.test.ts',
        title: 'is a page that a listed origin may frame, under a policy that allows nothing but this server',
      },
      { file: embedPage, title: '%s gets no page' },
      { file: embedPage, title: 'a page of the server itself may by default' },
    ],
  },
  {
    id: 'wire-6-04',
    source: 'wire.md 6',
    says: 'GET / is the demo page when demoPage is true, else 404.',
    tests: [{ file: specGapsServer, title: 'serves the demo page at / when demoPage is on, and 404 else' }],
  },
  {
    id: 'wire-6-05',
    source: 'wire.md 6',
    says: 'GET /healthz is liveness.',
    tests: [{ file: opsChannel, title: 'is alive, also while the server drains' }],
  },
  {
    id: 'wire-6-06',
    source: 'wire.md 6',
    says: 'GET /readyz is readiness with names and states of checks, no more.',
    tests: [
      { file: opsChannel, title: 'names the checks and their states, and no more' },
      { file: opsChannel, title: 'is not ready when a check fails' },
    ],
  },
  {
    id: 'wire-6-07',
    source: 'wire.md 6',
    says: 'GET /metrics is Prometheus text.',
    tests: [
      {
        file: prometheusMetrics,
        title: 'serves the process metrics unless told not to, in the Prometheus text format',
      },
    ],
  },
  {
    id: 'wire-6-08',
    source: 'wire.md 6',
    says: 'Product metrics begin helperagent_: turns, tokens, seconds, tool calls, confirmations, connections, errors.',
    tests: [
      { file: prometheusMetrics, title: 'begins every product metric with helperagent_, and tells the version' },
      { file: prometheusMetrics, title: 'counts turns, their time, their tokens and their errors' },
      { file: prometheusMetrics, title: 'counts tool calls, confirmations and connections' },
    ],
  },
  {
    id: 'wire-6-09',
    source: 'wire.md 6',
    says: 'Model calls are measured under gen_ai_ names.',
    tests: [{ file: prometheusMetrics, title: 'measures model calls under the names of the semantic conventions' }],
  },
  {
    id: 'wire-6-10',
    source: 'wire.md 6',
    says: 'endpoints.metrics.token guards it.',
    tests: [
      { file: opsChannel, title: 'with a token, no credential' },
      { file: opsChannel, title: 'with a token, the token' },
    ],
  },
  {
    id: 'wire-6-11',
    source: 'wire.md 6',
    says: 'Or it has a port of its own.',
    tests: [{ file: opsChannel, title: 'has a server of its own that answers nothing else' }],
  },
  {
    id: 'wire-6-12',
    source: 'wire.md 6',
    says: 'It is open otherwise, and then listed as open.',
    tests: [
      { file: opsChannel, title: 'is open without a token' },
      { file: cli, title: 'finds nothing wrong with what helper init wrote, and says what would be served' },
    ],
  },
  {
    id: 'wire-6-13',
    source: 'wire.md 6',
    says: 'No label comes from a user, a page or arguments: the number of series is bounded.',
    tests: [{ file: prometheusMetrics, title: 'counts what comes after 500 series as other' }],
  },
  {
    id: 'wire-6-14',
    source: 'wire.md 6',
    says: 'GET /helper/tour answers version and steps in language, for everyone the same, with an ETag.',
    tests: [
      {
        file: 'test/integration/tour.test.ts',
        title: 'tells the pages of configuration and plugins and the actions that need no role, in the language',
      },
      { file: 'test/integration/tour.test.ts', title: 'is not sent again to a client that has it' },
    ],
  },
];
