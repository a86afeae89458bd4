import { readFileSync } from 'node:fs';
import { packageFile, packageName, packageVersion } from '../app/own-package.ts';
import { type GeneratedFile, schemaFile } from '../config/generate/generated-files.ts';
import { projectScripts, type ServerProgram } from './project-scripts.ts';

const configuration = `# yaml-language-server: $schema=./helper.schema.json
# The configuration of your assistant. An editor that knows YAML schemas completes and explains every key.

# Who the assistant speaks for.
appName: My tasks
appDescription: A small task list. Users look up their tasks, add new ones and tick them off.

# Which model answers. The demo model needs no key; for a real one, take the # from the line of main, name it here
# in place of demo, and set OPENAI_API_KEY.
chatClient: demo
models:
  demo: { provider: demo }
#  main: { provider: openai, model: gpt-5-mini, apiKey: "\${OPENAI_API_KEY}" }

# What the assistant can do: every folder in plugins is one plugin.
actions: { plugins: [plugins] }

# A page to try it out at http://localhost:8080/; turn it off once your own page has the widget.
demoPage: true
`;

const plugin = `// A plugin is plain data plus functions. definePlugin and defineAction only help your editor.
import { defineAction, definePlugin } from 'helper';

/** @type {Map<number, { id: number, text: string, done: boolean }>} */
const tasks = new Map();

function startOver() {
  tasks.clear();
  tasks.set(1, { id: 1, text: 'Read the configuration', done: true });
  tasks.set(2, { id: 2, text: 'Write an action', done: false });
}

startOver();

export default definePlugin({
  name: 'tasks',
  actions: [
    defineAction({
      name: 'list_tasks',
      title: 'List tasks',
      description: 'Lists all tasks with their number, text and state.',
      parameters: { type: 'object', properties: {} },
      // It changes nothing, so the user is not asked first.
      readOnly: true,
      // What users say for it: the demo page has each as a button.
      examples: ['Show my tasks'],
      execute: () => [...tasks.values()],
    }),
    defineAction({
      name: 'add_task',
      title: 'Add a task',
      description: 'Adds a task with the given text.',
      parameters: {
        type: 'object',
        properties: { text: { type: 'string', title: 'Task', description: 'What is to be done', minLength: 1 } },
        required: ['text'],
      },
      examples: ['Add a task: buy milk'],
      // Says nothing of readOnly: it counts as a write, and the user is asked first.
      execute: ({ text }) => {
        const task = { id: tasks.size + 1, text: String(text), done: false };
        tasks.set(task.id, task);
        return task;
      },
    }),
    defineAction({
      name: 'complete_task',
      title: 'Complete a task',
      description: 'Ticks a task off by its number.',
      parameters: {
        type: 'object',
        properties: { id: { type: 'integer', title: 'Number', description: 'Number of the task' } },
        required: ['id'],
      },
      examples: ['Complete task 2'],
      execute: ({ id }) => {
        const task = tasks.get(Number(id));
        if (task === undefined) throw new Error(\`There is no task \${id}.\`);
        task.done = true;
        return task;
      },
    }),
  ],
  // The list on the demo page. Anybody who opens that page sees it; it is read again after each action.
  demo: {
    title: 'Tasks',
    columns: [
      { name: 'id', title: 'Number' },
      { name: 'text', title: 'Task' },
      { name: 'done', title: 'Done', tones: { true: 'good' } },
    ],
    rows: () => [...tasks.values()],
    reset: startOver,
  },
});
`;

/** A configuration for the editor, and for users who run `tsc`. Node runs TypeScript as it is, so nothing is built. */
const typeScript = `{
  "compilerOptions": {
    "target": "ES2024",
    "module": "NodeNext",
    "strict": true,
    "checkJs": true,
    "noEmit": true,
    "allowImportingTsExtensions": true,
    "erasableSyntaxOnly": true
  },
  "include": ["helper.d.ts", "plugins"]
}
`;

/** What git leaves out: what is installed, what the server keeps, and secrets. */
const ignored = `node_modules/
data/
.env
`;

/** The page that says what everything is for, and how the project moves. */
const readme = ({ dependency }: ServerProgram): string => `# My assistant

An assistant for your web application, served by Helper.

\`\`\`sh
${dependency === undefined ? '' : 'npm install\n'}npm start
\`\`\`

Open <http://localhost:8080/>: a task list with the assistant in the corner. Press one of its buttons, or ask.

| Command         | Does                                                          |
| --------------- | ------------------------------------------------------------- |
| \`npm start\`     | starts the server                                             |
| \`npm run dev\`   | starts it again whenever a file changes                       |
| \`npm run check\` | checks the configuration, and lists every fault with its line |

| File                | Is                                                                          |
| ------------------- | --------------------------------------------------------------------------- |
| \`helper.yaml\`       | the configuration; your editor completes it from \`helper.schema.json\`       |
| \`plugins/\`          | what the assistant can do: a folder per plugin; \`helper.d.ts\` has its types |
| \`data/\`             | what the server keeps; back it up, and keep it out of git                   |

## Next

1. Put the assistant into a page of yours: \`<script async src="http://localhost:8080/helper/widget.js"></script>\`, and name the
   page's origin under \`cors.default.origins\`.
2. Replace the demo model: see \`models\` in \`helper.yaml\`.
3. Write an action of your own: copy \`plugins/tasks\`.

## Move it

${moving(dependency)}`;

/** How the project reaches another machine. */
function moving(dependency: ServerProgram['dependency']): string {
  if (dependency !== undefined)
    return `Copy this folder without \`node_modules\` and run \`npm install\` there${
      dependency.archive === undefined ? '' : ': the server comes from the archive in this folder'
    }. It needs Node 24, or an older Node on Linux x64, where npm installs Node 24 beside it.
`;
  return `The scripts call the server by its path on this machine. To take the project elsewhere, pack the server in the clone that wrote
this, and put the archive here:

\`\`\`sh
npm run build && npm pack                    # in the clone: writes ${packageName}-${packageVersion()}.tgz
npm install ./${packageName}-${packageVersion()}.tgz      # here, with the archive in this folder
npm pkg set scripts.start='helper start --config helper.yaml' scripts.check='helper check --config helper.yaml'
\`\`\`
`;
}

/** A file of a new project. */
export interface ProjectFile extends GeneratedFile {
  /** The project may already have this file. Such a file stays as it is. */
  readonly mayBeThere?: boolean;
}

/**
 * The project that `helper init` writes: a configuration, a plugin, and the files that an editor needs to know both. All of it works
 * unchanged. `isModule`: Node reads `.js` files in this project as modules.
 */
export function projectFiles(program: ServerProgram, isModule = true): readonly ProjectFile[] {
  return [
    { path: 'helper.yaml', content: configuration },
    { path: 'helper.schema.json', content: schemaFile() },
    { path: 'plugins/tasks/index.js', content: plugin },
    ...(isModule ? [] : [{ path: 'plugins/tasks/package.json', content: '{ "type": "module" }\n' }]),
    { path: 'helper.d.ts', content: readFileSync(packageFile('config/helper.d.ts'), 'utf8') },
    { path: 'tsconfig.json', content: typeScript, mayBeThere: true },
    { path: '.gitignore', content: ignored, mayBeThere: true },
    { path: 'README.md', content: readme(program), mayBeThere: true },
    { path: 'package.json', content: packageJson(program), mayBeThere: true },
  ];
}

function packageJson(program: ServerProgram): string {
  const { dependency } = program;
  const content = {
    private: true,
    type: 'module',
    scripts: projectScripts(program),
    ...(dependency === undefined ? {} : { dependencies: { [packageName]: dependency.spec } }),
  };
  return `${JSON.stringify(content, undefined, 2)}\n`;
}
