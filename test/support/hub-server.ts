import type { AddressInfo } from 'node:net';
import { fastify, type FastifyInstance } from 'fastify';
import { onTestFinished } from 'vitest';
import { controlChannel } from '../../src/channels/control/control-channel.ts';
import { sessionChannel } from '../../src/channels/control/session-channel.ts';
import { hubChannel, type HubChannelOptions, type HubControl } from '../../src/channels/hub/hub-channel.ts';
import type { SignalRHubOptions } from '../../src/channels/hub/protocol/hub-options.ts';
import { signalRHub } from '../../src/channels/hub/protocol/signalr-hub.ts';
import { lateChecks } from '../../src/app/http/late-checks.ts';
import { prepareHttp } from '../../src/channels/shared/prepare-http.ts';
import { requestId } from '../../src/channels/shared/request-id.ts';
import { recordingLogger } from './quiet.ts';
import { testAdmission } from './test-admission.ts';
import { ampleRoom, testAssistant, type TestAssistant, type TestAssistantOptions } from './test-assistant.ts';

export interface HubServer extends TestAssistant {
  readonly app: FastifyInstance;
  readonly origin: string;
  /** The address of the hub. */
  readonly url: string;
  readonly control: HubControl;
}

/** The core behind the hub and the control endpoints, on a free port. Everything ends with the test. */
export async function hubServer(
  options: TestAssistantOptions,
  hub: Partial<HubChannelOptions> = {},
  prepare: (app: FastifyInstance) => void = () => undefined,
): Promise<HubServer> {
  const test = testAssistant(options);
  const app = fastify({ genReqId: requestId, forceCloseConnections: true });
  app.setValidatorCompiler(lateChecks());
  prepareHttp(app);
  const admission = hub.admission ?? testAdmission();
  prepare(app);
  let control: HubControl | undefined;
  void app.register(hubChannel, {
    path: '/helper-hub',
    assistant: test.assistant,
    connected: () => connectedSettings,
    admission,
    metrics: test.metrics,
    log: test.log,
    maxConnections: 100,
    connectionRoom: ampleRoom(),
    arrivalRoom: ampleRoom(),
    maxBufferedBytes: 1_048_576,
    maxMessageBytes: 100_000,
    disconnectGraceMs: options.disconnectGraceMs ?? 1000,
    control: (given) => (control = given),
    ...hub,
  });
  void app.register(controlChannel, { basePath: '', assistant: test.assistant, admission });
  void app.register(sessionChannel, {
    basePath: '',
    assistant: test.assistant,
    snapshots: test.snapshots,
    admission,
  });
  const origin = await listen(app);
  onTestFinished(async () => {
    await test.assistant.drain(0);
    await test.assistant.close();
    await app.close();
  });
  if (control === undefined) throw new Error('the hub has not handed out its control');
  return { ...test, app, control, origin, url: `${origin}/helper-hub` };
}

/** The protocol with an application of the test's own and without the product. */
export async function protocolServer<State>(
  options: Pick<SignalRHubOptions<State>, 'application'> & Partial<SignalRHubOptions<State>>,
): Promise<{ readonly url: string; readonly app: FastifyInstance }> {
  const app = fastify({ forceCloseConnections: true });
  void app.register(signalRHub<State>, {
    path: '/hub',
    tokenKeys: () => [Buffer.alloc(32, 7)],
    log: recordingLogger(),
    ...options,
  });
  const url = await listen(app);
  onTestFinished(() => app.close());
  return { url: `${url}/hub`, app };
}

const connectedSettings: ReturnType<HubChannelOptions['connected']> = {
  language: 'English',
  maxMessageLength: 4000,
  enableImageInput: false,
  maxImageBytes: 0,
  maxImagesPerMessage: 0,
  allowedImageTypes: [],
  enableFileInput: false,
  maxFileBytes: 0,
  maxFilesPerMessage: 0,
  allowedFileTypes: [],
  hostedTools: [],
  demo: false,
  aiDisclosure: true,
  conversations: false,
  memory: false,
};

async function listen(app: FastifyInstance): Promise<string> {
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo; // it listens on TCP
  return `http://127.0.0.1:${String(port)}`;
}
