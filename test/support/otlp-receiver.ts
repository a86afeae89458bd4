import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** A span of OTLP/JSON, with its attributes by name. */
export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string;
  readonly name: string;
  /** 1 is internal, 2 is server, 3 is client. */
  readonly kind: number;
  readonly startMs: number;
  readonly endMs: number;
  readonly isError: boolean;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly scope: string;
  readonly resource: Readonly<Record<string, unknown>>;
}

/** One series of a metric. */
export interface ReceivedPoint {
  readonly metric: string;
  readonly unit: string;
  readonly scope: string;
  readonly kind: 'sum' | 'gauge' | 'histogram';
  readonly attributes: Readonly<Record<string, unknown>>;
  /** The value of a sum or a gauge, or the count of a histogram. */
  readonly value: number;
}

export interface OtlpReceiver {
  readonly url: string;
  readonly requests: readonly { readonly path: string; readonly headers: IncomingHttpHeaders; readonly body: string }[];
  /** The status with which requests are answered from now on. */
  status: number;
  readonly spans: () => readonly ReceivedSpan[];
  readonly points: () => readonly ReceivedPoint[];
}

interface Attribute {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}

/** Any nested object of OTLP/JSON. The shape is not checked. A test fails when something is missing. */
type Json = Readonly<Record<string, unknown>>;

/** A receiver of OTLP over HTTP with JSON, on a free port. It ends with the test. */
export async function startOtlpReceiver(): Promise<OtlpReceiver> {
  const requests: { path: string; headers: IncomingHttpHeaders; body: string }[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const body = Buffer.concat(parts).toString('utf8');
      requests.push({ path: request.url ?? '', headers: request.headers, body });
      response.writeHead(receiver.status, { 'content-type': 'application/json' }).end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo; // a server that listens on TCP has an AddressInfo
  const bodies = (path: string): readonly Json[] =>
    requests.filter((request) => request.path === path).map(({ body }) => JSON.parse(body) as Json);
  const receiver: OtlpReceiver = {
    url: `http://127.0.0.1:${String(port)}`,
    requests,
    status: 200,
    spans: () => bodies('/v1/traces').flatMap(spansOf),
    points: () => bodies('/v1/metrics').flatMap(pointsOf),
  };
  return receiver;
}

function spansOf(body: Json): readonly ReceivedSpan[] {
  return list(body['resourceSpans']).flatMap((of) => {
    const resource = attributesOf(object(of['resource'])['attributes']);
    return list(of['scopeSpans']).flatMap(({ scope, spans }) =>
      list(spans).map((span) => ({
        traceId: String(span['traceId']),
        spanId: String(span['spanId']),
        parentSpanId: textOf(span['parentSpanId']),
        name: String(span['name']),
        kind: Number(span['kind']),
        startMs: Number(span['startTimeUnixNano']) / 1e6,
        endMs: Number(span['endTimeUnixNano']) / 1e6,
        isError: Number(object(span['status'])['code']) === 2,
        attributes: attributesOf(span['attributes']),
        scope: String(object(scope)['name']),
        resource,
      })),
    );
  });
}

function pointsOf(body: Json): readonly ReceivedPoint[] {
  const scopes = list(body['resourceMetrics']).flatMap((of) => list(of['scopeMetrics']));
  return scopes.flatMap(({ scope, metrics }) =>
    list(metrics).flatMap((metric) => {
      const kind = (['sum', 'gauge', 'histogram'] as const).find((each) => metric[each] !== undefined) ?? 'gauge';
      return list(object(metric[kind])['dataPoints']).map((point) => ({
        metric: String(metric['name']),
        unit: textOf(metric['unit']),
        scope: String(object(scope)['name']),
        kind,
        attributes: attributesOf(point['attributes']),
        value: Number(kind === 'histogram' ? point['count'] : (point['asDouble'] ?? point['asInt'])),
      }));
    }),
  );
}

function attributesOf(attributes: unknown): Readonly<Record<string, unknown>> {
  const pairs = (attributes ?? []) as readonly Attribute[]; // OTLP defines this shape
  return Object.fromEntries(pairs.map(({ key, value }) => [key, valueOf(value)]));
}

function valueOf(value: Attribute['value']): unknown {
  const [[kind, inner] = ['', undefined]] = Object.entries(value);
  if (kind === 'intValue') return Number(inner);
  if (kind !== 'arrayValue') return inner;
  return (object(inner)['values'] as readonly Attribute['value'][]).map(valueOf); // OTLP defines this shape
}

/** OTLP leaves empty texts out. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function list(value: unknown): readonly Json[] {
  return (value ?? []) as readonly Json[]; // OTLP defines this shape
}

function object(value: unknown): Json {
  return (value ?? {}) as Json; // OTLP defines this shape
}
