/** A prompt-agent file in the shape of one that Microsoft publishes, and what this server makes of it. */
export interface SampleShape {
  readonly title: string;
  readonly text: string;
  /** The members that have no effect here. */
  readonly ignored: readonly string[];
  /** What the agent must be like. */
  readonly agent: Readonly<Record<string, unknown>>;
}

const answerSchema = {
  type: 'object',
  properties: {
    language: { type: 'string', description: 'The language of the answer.' },
    answer: { type: 'string', description: 'The text of the answer.' },
  },
  required: ['language', 'answer'],
};

const answerFields = `outputSchema:
    properties:
        language:
            type: string
            required: true
            description: The language of the answer.
        answer:
            type: string
            required: true
            description: The text of the answer.
`;

/** The shapes of the samples of Microsoft Agent Framework that need nothing but a model and functions. */
export const loadedShapes: readonly SampleShape[] = [
  {
    title: 'a chat client of another host, with options and an output schema',
    text: `kind: Prompt
name: Translator
description: Answers in the language of the question.
instructions: Answer in the language of the question, as JSON.
model:
    options:
        temperature: 0.9
        topP: 0.95
${answerFields}`,
    ignored: [],
    agent: {
      definition: { outputSchema: answerSchema },
      model: { options: { temperature: 0.9, topP: 0.95 } },
    },
  },
  {
    title: 'a model by an expression, with provider, type of API and a connection with a key',
    text: `kind: Prompt
name: Translator
description: Answers in the language of the question.
instructions: Answer.
model:
    id: =Env.OPENAI_MODEL
    provider: OpenAI
    apiType: Chat
    options:
        temperature: 0.9
        topP: 0.95
    connection:
        kind: key
        key: =Env.OPENAI_APIKEY
${answerFields}`,
    ignored: ['model.provider', 'model.apiType', 'model.connection'],
    agent: { model: { id: 'gpt-small', options: { temperature: 0.9, topP: 0.95 } } },
  },
  {
    title: 'a model by an expression that has no value here',
    text: `kind: Agent
name: Translator
description: Answers.
instructions: Answer.
model:
    id: =Env.FOUNDRY_MODEL
    connection: { kind: remote, endpoint: =Env.FOUNDRY_PROJECT_ENDPOINT }
`,
    ignored: ['model.id (=Env.FOUNDRY_MODEL has no value; chatClient answers)', 'model.connection'],
    agent: { model: { options: {} } },
  },
  {
    title: 'the Responses API, and a connection with a spelling of its own',
    text: `kind: Prompt
name: Translator
description: Answers.
instructions: Answer.
model:
    id: gpt-small
    provider: OpenAI
    apiType: Responses
    options: { temperature: 0.2 }
    connection: { kind: ApiKey, key: '=If(true, "a", "b")' }
`,
    ignored: ['model.provider', 'model.apiType', 'model.connection'],
    agent: { model: { id: 'gpt-small', options: { temperature: 0.2 } } },
  },
  {
    title: 'the Assistants API, whose kind is written in lower case',
    text: `kind: prompt
name: Translator
instructions: Answer.
model: { id: gpt-small, provider: OpenAI, apiType: Assistants, connection: { kind: key, apiKey: x } }
`,
    ignored: ['model.provider', 'model.apiType', 'model.connection'],
    agent: { definition: { description: '' } },
  },
  {
    title: 'Azure OpenAI with a connection to an endpoint',
    text: `kind: Prompt
name: Translator
description: Answers.
instructions: Answer.
model:
    id: gpt-small
    provider: AzureOpenAI
    apiType: Chat
    connection:
        kind: remote
        endpoint: =Env.AZURE_OPENAI_ENDPOINT
        authenticationMode: user
`,
    ignored: ['model.provider', 'model.apiType', 'model.connection'],
    agent: { model: { id: 'gpt-small', options: {} } },
  },
  {
    title: 'Foundry with a project, a display name and notes',
    text: `kind: Prompt
name: Helper
displayName: The helper
description: Helps.
metadata: { authors: [somebody], tags: ["=not an expression here"] }
instructions: Help.
additionalInstructions: Be short.
model:
    id: gpt-small
    provider: Foundry
    connection: { kind: foundry, endpoint: "https://a.example", name: b }
`,
    ignored: ['displayName', 'model.provider', 'model.connection'],
    agent: { definition: { instructions: 'Help.\n\nBe short.' } },
  },
  {
    title: 'a persistent agent that names a reference',
    text: `kind: Prompt
name: Helper
description: Helps.
instructions: Help.
model: { id: gpt-small, connection: { kind: reference, name: shared, target: chat } }
`,
    ignored: ['model.connection'],
    agent: {},
  },
  {
    title: 'a function with parameters and bindings, named in the other host\u2019s way',
    text: `kind: Prompt
name: Weather
description: Tells the weather.
instructions: Tell the weather.
model: { options: { allowMultipleToolCalls: true, chatToolMode: auto } }
tools:
    - kind: function
      name: GetWeather
      description: The weather at a place.
      bindings:
          get_weather: get_weather
      parameters:
          properties:
              location: { kind: string, required: true }
              unit: { kind: string, enum: [celsius, fahrenheit] }
`,
    ignored: [
      'model.options.allowMultipleToolCalls',
      'model.options.chatToolMode',
      'tools[0].description',
      'tools[0].parameters',
      'tools[0].bindings',
    ],
    agent: { definition: { tools: ['GetWeather'] } },
  },
  {
    title: 'inputs and a template',
    text: `kind: Prompt
name: Letters
description: Writes letters.
inputSchema:
    strict: true
    properties: { name: { kind: string } }
template: { format: mustache, parser: prompty }
instructions: Write to {{name}}.
model: gpt-small
outputSchema:
    properties:
        - { name: letter, kind: string, required: true }
        - { name: pages, kind: array, items: { kind: object, properties: { number: { kind: integer, required: true } } } }
`,
    ignored: ['inputSchema', 'template'],
    agent: {
      model: { id: 'gpt-small', options: {} },
      definition: {
        outputSchema: {
          type: 'object',
          properties: {
            letter: { type: 'string' },
            pages: {
              type: 'array',
              items: { type: 'object', properties: { number: { type: 'integer' } }, required: ['number'] },
            },
          },
          required: ['letter'],
        },
      },
    },
  },
  {
    title: 'tools of the provider, in both spellings',
    text: `kind: Prompt
name: Research
description: Looks things up.
instructions: Look it up.
model: { id: gpt-small, connection: { kind: remote } }
tools:
    - kind: web_search
      name: web
      connection: { kind: remote }
    - { kind: codeInterpreter, fileIds: [file_1] }
    - kind: file_search
      name: files
      vectorStoreIds: [vs_1]
      maximumResultCount: 5
      ranker: auto
      scoreThreshold: 0.5
      filters: { key: a }
`,
    ignored: ['model.connection', 'tools[0].connection'],
    agent: {
      hosted: [
        { name: 'WebSearch', options: {} },
        { name: 'CodeInterpreter', options: { container: { type: 'auto', fileIds: ['file_1'] } } },
        {
          name: 'FileSearch',
          options: {
            vectorStoreIds: ['vs_1'],
            maxNumResults: 5,
            rankingOptions: { ranker: 'auto', scoreThreshold: 0.5 },
            filters: { key: 'a' },
          },
        },
      ],
      definition: { tools: [] },
    },
  },
  {
    title: 'MCP servers',
    text: `kind: Prompt
name: Docs
description: Reads the docs.
tools:
  - kind: mcp
    name: microsoft_learn
    description: Looks things up.
    url: https://learn.example/api/mcp
    approvalMode:
      kind: never
    allowedTools:
      - docs_search
  - kind: mcp
    serverName: erp
    serverDescription: The store.
    connection: { kind: AnonymousConnection, endpoint: https://erp.example/mcp }
    approvalMode: always
  - kind: mcp
    serverName: desk
    connection: { kind: key, endpoint: https://desk.example/mcp, key: =Env.KEY }
`,
    ignored: ['tools[0].description', 'tools[1].serverDescription', 'tools[2].connection'],
    agent: {
      mcpServers: [
        {
          name: 'microsoft_learn',
          url: 'https://learn.example/api/mcp',
          allowedTools: ['docs_search'],
          asksAlways: false,
        },
        { name: 'erp', url: 'https://erp.example/mcp', asksAlways: true },
        { name: 'desk', url: 'https://desk.example/mcp', asksAlways: false },
      ],
      definition: { tools: [] },
    },
  },
];

/** The shapes of samples with tools that this server does not give to agents, with the path of the tool. */
export const refusedShapes: readonly (readonly [tool: string, says: RegExp])[] = [
  ['{ kind: openapi, specification: a.json }', /cannot import an OpenAPI document/],
  ['{ kind: custom, name: b, options: { a: 1 } }', /write the tool as an action of a plugin/],
  ['{ kind: azure_function, name: b }', /name the function in actions\.callbacks/],
  ['{ kind: azure_ai_search, index: b }', /name the documents in ragSources/],
  ['{ kind: bing_grounding, connection: b }', /write kind: webSearch/],
  ['{ kind: web_search_preview }', /write kind: webSearch/],
  ['{ kind: a2a, url: "https://b.example" }', /kind: RemoteAgent/],
];
