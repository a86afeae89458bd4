import type { AddressInfo } from 'node:net';
import { fastify, type FastifyInstance } from 'fastify';
import { onTestFinished } from 'vitest';
import { controlChannel } from '../../src/channels/control/control-channel.ts';
import { lateChecks } from '../../src/app/http/late-checks.ts';
import { prepareHttp } from '../../src/channels/shared/prepare-http.ts';
import { requestId } from '../../src/channels/shared/request-id.ts';
import { sseChannel, type SseChannelOptions } from '../../src/channels/sse/sse-channel.ts';
import { testAdmission } from './test-admission.ts';
import { ampleRoom, testAssistant, type TestAssistant, type TestAssistantOptions } from './test-assistant.ts';

export interface TestHttp extends TestAssistant {
  readonly app: FastifyInstance;
  readonly url: string;
}

/** The core with SSE and the control endpoints on a free port. Everything ends with the test. */
export async function testHttp(options: TestAssistantOptions, sse: Partial<SseChannelOptions> = {}): Promise<TestHttp> {
  const test = testAssistant(options);
  const app = fastify({ genReqId: requestId, forceCloseConnections: true });
  app.setValidatorCompiler(lateChecks());
  prepareHttp(app);
  const admission = sse.admission ?? testAdmission();
  void app.register(sseChannel, {
    path: '/helper/chat',
    assistant: test.assistant,
    admission,
    metrics: test.metrics,
    bodyLimit: 100_000,
    maxStreams: 100,
    rooms: { connections: ampleRoom(), turns: ampleRoom() },
    ...sse,
  });
  void app.register(controlChannel, { basePath: '', assistant: test.assistant, admission });
  await app.listen({ host: '127.0.0.1', port: 0 });
  onTestFinished(async () => {
    await test.assistant.drain(0);
    await test.assistant.close();
    await app.close();
  });
  const { port } = app.server.address() as AddressInfo; // it listens on TCP
  return { ...test, app, url: `http://127.0.0.1:${String(port)}` };
}
