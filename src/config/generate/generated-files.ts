import { agentEditorSchema, editorSchema } from './editor-schema.ts';
import { fullYaml } from './full-yaml.ts';
import { referencePage } from './reference-page.ts';

export interface GeneratedFile {
  /** Relative to the project's folder. */
  readonly path: string;
  readonly content: string;
}

/** Everything that is made from the configuration schema; a test fails when one on disk differs. */
export function generatedFiles(): readonly GeneratedFile[] {
  return [
    { path: 'config/helper.schema.json', content: schemaFile() },
    { path: 'config/agent.schema.json', content: agentSchemaFile() },
    { path: 'config/helper.full.yaml', content: fullYaml() },
    { path: 'docs/reference/configuration.md', content: referencePage() },
  ];
}

/** The text of `helper.schema.json`. */
export function schemaFile(): string {
  return `${JSON.stringify(editorSchema(), undefined, 2)}\n`;
}

/** The text of `agent.schema.json`. */
function agentSchemaFile(): string {
  return `${JSON.stringify(agentEditorSchema(), undefined, 2)}\n`;
}
