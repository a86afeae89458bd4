import type { Requirement } from '../requirement.ts';

const embeddings = 'test/integration/embeddings-observed.test.ts';
const words = 'test/integration/words-of-providers.test.ts';
const specGapsServer = 'test/integration/spec-gaps-server.test.ts';
const opsChannel = 'test/unit/channels/ops/ops-channel.test.ts';
const prometheusMetrics = 'test/unit/adapters/metrics/prometheus-metrics.test.ts';
const metrics = 'test/integration/metrics.test.ts';
const monitoring = 'test/integration/monitoring.test.ts';
const embedPage = 'test/browser/embed-page.test.ts';
const openApi = 'test/integration/openapi.test.ts';
const cli = 'test/integration/cli.test.ts';
const telemetry = 'test/integration/telemetry.test.ts';
const tracedChannels = 'test/integration/traced-channels.test.ts';
const securityLog = 'test/integration/security-log.test.ts';
const securityLogLimits = 'test/integration/security-log-limits.test.ts';
const refusalLines = 'test/unit/channels/shared/refusal-lines.test.ts';
const telemetryExport = 'test/integration/telemetry-export.test.ts';

/** The statements whose ids begin with `wire-6`. */
export const wireSection6: readonly Requirement[] = [
  {
    id: 'wire-6-01',
    tests: [
      {
        file: specGapsServer,
        title: 'serves the widget script with the settings inside, for every page, under one ETag with and without ?v=',
      },
    ],
  },
  {
    id: 'wire-6-02',
    tests: [
      {
        file: specGapsServer,
        title: 'serves the widget script with the settings inside, for every page, under one ETag with and without ?v=',
      },
    ],
  },
  {
    id: 'wire-6-03',
    tests: [{ file: specGapsServer, title: 'serves the chunks of the widget under names of their content, immutable' }],
  },
  {
    id: 'wire-6-60',
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
    tests: [{ file: specGapsServer, title: 'serves the demo page at / when demoPage is on, and 404 else' }],
  },
  {
    id: 'wire-6-05',
    tests: [{ file: opsChannel, title: 'is alive, also while the server drains' }],
  },
  {
    id: 'wire-6-06',
    tests: [
      { file: opsChannel, title: 'names the checks and their states, and no more' },
      { file: opsChannel, title: 'is not ready when a check fails' },
    ],
  },
  {
    id: 'wire-6-07',
    tests: [
      {
        file: prometheusMetrics,
        title: 'serves the process metrics unless told not to, in the Prometheus text format',
      },
    ],
  },
  {
    id: 'wire-6-08',
    tests: [
      { file: prometheusMetrics, title: 'begins every product metric with helperagent_, and tells the version' },
      { file: prometheusMetrics, title: 'counts turns, their time, their tokens and their errors' },
      { file: prometheusMetrics, title: 'counts tool calls, confirmations and connections' },
    ],
  },
  {
    id: 'wire-6-09',
    tests: [{ file: prometheusMetrics, title: 'measures model calls under the names of the semantic conventions' }],
  },
  {
    id: 'wire-6-10',
    tests: [
      { file: opsChannel, title: 'with a token, no credential' },
      { file: opsChannel, title: 'with a token, the token' },
    ],
  },
  {
    id: 'wire-6-11',
    tests: [{ file: opsChannel, title: 'has a server of its own that answers nothing else' }],
  },
  {
    id: 'wire-6-12',
    tests: [
      { file: opsChannel, title: 'is open without a token' },
      { file: cli, title: 'finds nothing wrong with what helper init wrote, and says what would be served' },
    ],
  },
  {
    id: 'wire-6-13',
    tests: [{ file: prometheusMetrics, title: 'counts what comes after 500 series as other' }],
  },
  {
    id: 'wire-6-31',
    tests: [
      { file: metrics, title: 'are all there from the start: nothing that happens adds a series' },
      { file: prometheusMetrics, title: 'shows what it is told of at 0, before anything of it is counted' },
    ],
  },
  {
    id: 'wire-6-32',
    tests: [
      {
        file: metrics,
        title: 'show the turns that run, the questions that are open, and how long the oldest has waited',
      },
    ],
  },
  {
    id: 'wire-6-33',
    tests: [{ file: metrics, title: 'time an action without the wait for its user, and its call with it' }],
  },
  {
    id: 'wire-6-34',
    tests: [
      { file: metrics, title: 'count answers by the pattern of the address and the class of the status' },
      { file: prometheusMetrics, title: 'counts answers by the class of their status' },
    ],
  },
  {
    id: 'wire-6-35',
    tests: [{ file: metrics, title: 'see a hold-up of the event loop that lasts for some ten milliseconds' }],
  },
  {
    id: 'wire-6-36',
    tests: [
      {
        file: monitoring,
        title: 'read nothing that a server does not have from its start: every metric, label and value is there',
      },
    ],
  },
  {
    id: 'wire-6-37',
    tests: [
      {
        file: monitoring,
        title: 'fire on what they are about, and on nothing else (contract/operations.md#rules-and-dashboard)',
      },
      { file: monitoring, title: 'are each seen to fire and to be quiet' },
    ],
  },
  {
    id: 'wire-6-38',
    tests: [
      {
        file: 'test/integration/chart.test.ts',
        title:
          'hands out the rules and the dashboard as they are, with others beside them (contract/operations.md#rules-and-dashboard)',
      },
    ],
  },
  {
    id: 'wire-6-39',
    tests: [
      {
        file: 'test/integration/security-log.test.ts',
        title: 'is one warning with its reason, its door and its request, and never the token',
      },
      { file: 'test/unit/adapters/identity/remote-keys.test.ts', title: 'stay in use while the issuer is down' },
      {
        file: 'test/integration/storage-faults.test.ts',
        title: 'tells a disk that answers with %s within 5 s, serves on, and recovers',
      },
    ],
  },
  {
    id: 'wire-6-40',
    tests: [
      {
        file: telemetry,
        title: 'is a tree of spans of its prompt, model calls, tool call and the wait for the answer',
      },
      { file: telemetry, title: 'shows a decline, a refusal and a failure as what they are' },
      { file: telemetry, title: 'follows the model that a reload puts in the place of another' },
    ],
  },
  {
    id: 'wire-6-53',
    tests: [
      { file: words, title: 'behind %s leaves status, type and code in the log, and none of its words' },
      { file: words, title: 'leaves none of its words in the log when it breaks off a reply' },
      {
        file: words,
        title: 'is quoted, at most 500 characters of it, with observabilityIncludeSensitiveData, and the server warns',
      },
      { file: words, title: 'is quoted with %i, which comes before anything is read, up to 200 characters' },
      { file: words, title: 'leaves neither documents nor questions in the log, nor in what helper knowledge shows' },
    ],
  },
  {
    id: 'wire-6-54',
    tests: [{ file: embeddings, title: 'shows how many parts have vectors, and measures the calls that make them' }],
  },
  {
    id: 'wire-6-56',
    tests: [
      {
        file: 'test/integration/telemetry.test.ts',
        title: 'shows the checks of its message and reply with their verdicts, and each source of documents',
      },
    ],
  },
  {
    id: 'wire-6-55',
    tests: [{ file: embeddings, title: 'follows the calls: that of a question in the trace of its turn' }],
  },
  {
    id: 'wire-6-41',
    tests: [
      { file: telemetryExport, title: 'is nothing that users, models and tools said, nor who the user is' },
      { file: telemetryExport, title: 'is all of it when that is asked for, and the server warns of it' },
    ],
  },
  {
    id: 'wire-6-42',
    tests: [
      {
        file: telemetry,
        title: 'is a tree of spans of its prompt, model calls, tool call and the wait for the answer',
      },
      {
        file: telemetry,
        title: 'goes on in the model’s server and in the callback, as children of the spans that stand for them',
      },
      {
        file: 'test/integration/models-trace.test.ts',
        title: 'is told of the trace that a call goes on in, and of none without',
      },
      { file: tracedChannels, title: 'goes on in the trace of a request to %s, down to callbacks' },
    ],
  },
  {
    id: 'wire-6-98',
    tests: [
      { file: tracedChannels, title: 'goes on in the trace that $where names, and so does the callback' },
      { file: tracedChannels, title: 'has a trace of its own without one, in which a failure is one' },
      { file: tracedChannels, title: 'holds arguments, result and user where that is asked for' },
    ],
  },
  {
    id: 'wire-6-43',
    tests: [
      { file: telemetry, title: 'stays in %s when a restart lies between the question and its answer' },
      { file: telemetry, title: 'is a trace of its own without a traceparent' },
      { file: telemetryExport, title: 'sends the trace of a message on to callbacks after a restart too' },
    ],
  },
  {
    id: 'wire-6-44',
    tests: [{ file: telemetry, title: 'names its trace in its log lines, and no other line does' }],
  },
  {
    id: 'wire-6-45',
    tests: [
      {
        file: telemetryExport,
        title: 'is the same numbers as on the Prometheus page, the model’s under the names of the conventions',
      },
      { file: telemetryExport, title: 'is sent with the headers and under the source name of the configuration' },
    ],
  },
  {
    id: 'wire-6-46',
    tests: [
      { file: telemetryExport, title: 'harms no turn when it is not there, and holds up no end' },
      {
        file: telemetryExport,
        title: 'is said once for traces and once for metrics when it refuses, and nothing of its key is',
      },
      {
        file: 'test/integration/span-export.test.ts',
        title: 'are dropped while more wait than there is room for, which is said once, and how many when it is over',
      },
      {
        file: 'test/unit/adapters/telemetry/said-once.test.ts',
        title: 'are said once until it works again, and that is said too',
      },
    ],
  },
  {
    id: 'wire-6-47',
    tests: [
      { file: telemetryExport, title: 'loads nothing of it, sends nothing and writes no trace_id' },
      { file: telemetryExport, title: 'sends the trace of a message on to callbacks, and to no model' },
    ],
  },
  {
    id: 'wire-6-14',
    tests: [
      {
        file: 'test/integration/tour.test.ts',
        title: 'tells the pages of configuration and plugins and the actions that need no role, in the language',
      },
      { file: 'test/integration/tour.test.ts', title: 'is not sent again to a client that has it' },
    ],
  },
  {
    id: 'wire-6-15',
    tests: [
      {
        file: 'test/integration/head.test.ts',
        title:
          'tells of every page, file and probe what GET would send, without sending it (contract/addresses.md#paths)',
      },
      {
        file: 'test/integration/head.test.ts',
        title: 'of /helper/chat?message=hello is a wrong method: it never runs a turn and tells of nobody',
      },
    ],
  },
  {
    id: 'wire-6-16',
    tests: [
      { file: opsChannel, title: 'names the contact, a date in 90 days and its own address' },
      { file: opsChannel, title: 'is not there without a contact' },
    ],
  },
  {
    id: 'wire-6-17',
    tests: [
      { file: openApi, title: 'has every route of the server but those that have a reason, and no other' },
      { file: openApi, title: 'lists what this configuration serves, and says how to sign in' },
      { file: openApi, title: 'names the paths as clients ask for them: below the base path, at the public address' },
      { file: openApi, title: 'is there inside of another server, and its document does not disturb that of the host' },
    ],
  },
  {
    id: 'wire-6-18',
    tests: [
      { file: openApi, title: 'says of every operation how it answers, to requests made of its examples' },
      { file: openApi, title: 'says of every operation but those of probes that one request too many is refused' },
      { file: openApi, title: 'says how requests fail' },
      { file: openApi, title: 'lists what this configuration serves, and says how to sign in' },
    ],
  },
  {
    id: 'wire-6-19',
    tests: [{ file: openApi, title: 'is the same for everyone, and not sent again to a client that has it' }],
  },
  {
    id: 'wire-6-20',
    tests: [{ file: openApi, title: 'lists what this configuration serves, and says how to sign in' }],
  },
  {
    id: 'wire-6-50',
    tests: [
      { file: securityLog, title: 'is one warning with its reason, its door and its request, and never the token' },
      { file: securityLog, title: 'is told of every door: approve, the hub and its refresh' },
      {
        file: securityLog,
        title: 'that is missing where one is needed is no warning, and a user without the role is named',
      },
      { file: securityLog, title: 'is one line of information for another website and a request too many' },
      { file: securityLog, title: 'is a warning for approve, cancel, session and Resume, with who asked and for what' },
      { file: securityLogLimits, title: 'is a line for a message too many of a user, with the turn' },
      { file: securityLogLimits, title: 'names an anonymous caller of the hub by the same name as its other requests' },
      { file: securityLogLimits, title: 'is a line for a connection too many, on the hub and over server-sent events' },
      {
        file: securityLogLimits,
        title: 'is a line for a running turn too many, on the hub and over server-sent events',
      },
      { file: securityLogLimits, title: 'is a line for a running turn too many of an address' },
      { file: securityLogLimits, title: 'is a line for a request too many of an address at once' },
      { file: securityLogLimits, title: 'is a line for more than a user may upload at once' },
      {
        file: securityLogLimits,
        title: 'is a line at the dashboard that is open to anyone, and at the data of the demo page',
      },
      { file: securityLogLimits, title: 'is a line for a link that would make a signed-in browser start a turn' },
    ],
  },
  {
    id: 'wire-6-51',
    tests: [
      {
        file: securityLogLimits,
        title: 'are twenty lines of one caller and kind in a minute, while all are counted and others are told',
      },
      { file: refusalLines, title: 'of one caller go on a minute later, with how many were left out' },
      { file: refusalLines, title: 'of many callers are bounded in all, and by kind' },
    ],
  },
  {
    id: 'wire-6-52',
    tests: [
      {
        file: securityLog,
        title: 'over server-sent events without a user names the turn, the call and the hash of the address',
      },
      { file: securityLog, title: 'is told by its user key where a user presents it, whoever’s turn it is' },
      { file: securityLog, title: 'by a rule is told of the user in whose place the rule stands' },
      { file: securityLog, title: 'that never comes is told as expired, by whom, and without its values' },
      { file: securityLog, title: 'that never comes is told as cancelled, by whom, and without its values' },
    ],
  },
];
