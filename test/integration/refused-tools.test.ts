import { describe, expect, it } from 'vitest';
import { inProcessHelper, allOf } from '../support/in-process-helper.ts';
import { mcpHelper, offeredIn, toldTo } from '../support/mcp/mcp-helper.ts';
import { startMcpServer } from '../support/mcp/real-mcp-server.ts';
import { openAiFaults, anthropicFaults } from '../support/provider-rules.ts';
import { calling, failing, type ModelScript, saying } from '../support/scripted-model.ts';
import { scriptedServer } from '../support/scripted-server.ts';
import { openSse } from '../support/sse-client.ts';

interface SentTool {
  readonly function: { readonly name: string; readonly parameters: Readonly<Record<string, unknown>> };
}

/** A provider that looks at every schema, as OpenAI and Anthropic do, and refuses the first that is not taken. */
function strict(then: ModelScript): ModelScript {
  return (exchange) => {
    const tools = (exchange.request.body['tools'] ?? []) as readonly SentTool[]; // the wire form
    const place = tools.findIndex(({ function: { name, parameters } }) =>
      name === 'bad' ? true : openAiFaults(parameters).length > 0 || anthropicFaults(parameters).length > 0,
    );
    if (place < 0) return then(exchange);
    const param = `tools[${String(place)}].function.parameters`;
    return failing(400, { body: { error: { message: 'no', param, code: 'invalid_function_parameters' } } })(exchange);
  };
}

const schemas = {
  noitems: { type: 'object', properties: { targets: { type: 'array' } } },
  noprops: { type: 'object' },
  topany: { type: 'object', properties: { a: {}, b: {} }, anyOf: [{ required: ['a'] }, { required: ['b'] }] },
  dollar: { type: 'object', properties: { $top: { type: 'integer' }, 'filter[status]': { type: 'string' } } },
};

describe('tools that a provider would refuse (contract/models.md#tools)', () => {
  // proves service-11-40, service-11-41
  it('come from an MCP server and harm nobody; the question and the server see the names of the server', async () => {
    const ran: unknown[] = [];
    const tools = Object.entries(schemas).map(([name, inputSchema]) => ({
      name,
      inputSchema,
      run: (given: unknown) => void ran.push(given),
    }));
    const mcp = await startMcpServer('new', tools);
    const call = calling({ name: 'dollar', arguments: { top: 5, filter_status: 'open' } });
    const { session, model } = await mcpHelper(
      [{ name: 'erp', serverUrl: mcp.url }],
      [strict(call), strict(saying('Found.'))],
    );
    const events: unknown[] = [];
    for await (const event of session.send('find')) {
      events.push(event);
      if (event.event === 'ConfirmationRequested') await session.approve(event.actionId, true);
    }
    expect(events.at(-1)).toMatchObject({ status: 'completed', text: 'Found.' });
    expect(events).toContainEqual(
      expect.objectContaining({
        arguments: [
          expect.objectContaining({ name: '$top', value: 5 }),
          expect.objectContaining({ name: 'filter[status]', value: 'open' }),
        ],
      }),
    );
    expect(ran).toEqual([{ $top: 5, 'filter[status]': 'open' }]);
    expect(offeredIn(model, 0)).toEqual(expect.arrayContaining(Object.keys(schemas)));
    expect(model.requests).toHaveLength(2);
  });

  // proves service-11-40
  it('come from a plugin, and are checked by the schema of the plugin when they are called', async () => {
    const parameters = {
      type: 'object',
      properties: { tags: { type: 'array' } },
      oneOf: [{ required: ['tags'] }, { required: ['none'] }],
    };
    const plugin = `export default { name: 'p', actions: [{ name: 'tag', description: 'Tags.', readOnly: true,
      parameters: ${JSON.stringify(parameters)}, execute: ({ tags }) => tags.join('+') }] };`;
    const scripts = [
      strict(calling({ name: 'tag', arguments: {} }, { name: 'tag', arguments: { tags: ['a', 'b'] } })),
      strict(saying('OK')),
    ];
    const { helper, model } = await inProcessHelper({ scripts, plugin });
    const session = await helper.session();
    expect((await allOf(session.send('tag'))).at(-1)).toMatchObject({ status: 'completed', text: 'OK' });
    expect(toldTo(model)).toEqual([
      expect.stringContaining('The arguments do not fit'),
      expect.stringContaining('a+b'),
    ]);
  });

  // proves service-11-42, service-11-45
  it('are named in the log, on /readyz and in the metrics when they are refused all the same', async () => {
    const plugin = `const parameters = { type: 'object', properties: {} };
      export default { name: 'p', actions: ['good', 'bad'].map((name) => ({ name, description: name, parameters, readOnly: true, execute: () => 1 })) };`;
    const { url } = await scriptedServer({ scripts: [], otherwise: strict(saying('Hello.')), plugin });
    const chat = await openSse(`${url}/helper/chat?message=hi`);
    expect((await chat.next('end')).data).toMatchObject({ status: 'completed' });
    expect(await (await fetch(`${url}/readyz`)).json()).toMatchObject({
      status: 'degraded',
      checks: expect.arrayContaining([{ name: 'tool:bad', state: 'degraded' }]) as unknown,
    });
    expect(await (await fetch(`${url}/metrics`)).text()).toContain(
      'helperagent_tools_left_out_total{model="scripted",action="bad"} 1',
    );
  });

  // proves service-11-42
  it('are told once, with where they come from', async () => {
    const mcp = await startMcpServer('new', [{ name: 'bad' }, { name: 'good' }]);
    const { session, model, log } = await mcpHelper(
      [{ name: 'erp', serverUrl: mcp.url }],
      [1, 2, 3].map(() => strict(saying('Hello.'))),
    );
    for (let times = 0; times < 2; times += 1)
      expect((await allOf(session.send('hi'))).at(-1)).toMatchObject({ status: 'completed', text: 'Hello.' });
    expect(model.requests).toHaveLength(3);
    const told = log.lines.filter(({ message }) => message.includes('refuses a tool'));
    expect(told).toMatchObject([{ level: 'warn', fields: { model: 'scripted', tool: 'bad', from: 'mcp:erp' } }]);
  });
});
