import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Language, type Node, Parser } from '@vscode/tree-sitter-wasm';
import ts from 'typescript';
import { describe, expect, it, onTestFinished } from 'vitest';
import { realServer } from '../support/real-server.ts';
import { tokenSecret } from '../support/tokens.ts';
import { isHere, lackOf, type ToolName } from '../support/tools-here.ts';
import { exampleFile } from '../unit/docs/pages.ts';

const guide = 'docs/guides/embed.md';
const require = createRequire(import.meta.url);

/** Writes examples of the guide as files into a new folder. */
function folderWith(...names: readonly string[]): string {
  const directory = mkdtempSync(join(tmpdir(), 'helper-embed-guide-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  for (const name of names) writeFileSync(join(directory, name), exampleFile(guide, name));
  return directory;
}

/** A test that needs a tool of the machine. Without the tool the test is skipped and says so. */
function itWith(tool: ToolName, title: string, run: () => Promise<void> | void): void {
  if (isHere(tool)) it(title, run);
  else it.skip(`${title} (skipped: ${lackOf(tool)})`, run);
}

function run(directory: string, program: string, parameters: readonly string[]): string {
  const environment = { ...process.env, HELPER_TOKEN_SECRET: tokenSecret };
  return execFileSync(program, parameters, {
    cwd: directory,
    encoding: 'utf8',
    env: environment,
    timeout: 30_000,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** The server takes the token for one of Ann's. */
async function expectAccepted(token: string): Promise<void> {
  const { url } = await realServer({
    HELPER__AUTH__JWT__SECRET: tokenSecret,
    HELPER__AUTH__JWT__AUDIENCE: 'shop',
  });
  const ask = (text: string): Promise<Response> =>
    fetch(`${url}/helper-hub/negotiate?negotiateVersion=1`, {
      method: 'POST',
      headers: { authorization: `Bearer ${text}` },
    });
  expect((await ask(token)).status).toBe(200);
  expect((await ask(`${token.slice(0, -4)}AAAA`)).status).toBe(401);
  const claims: unknown = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
  expect(claims).toMatchObject({ sub: '7', name: 'Ann', role: ['Supervisor'] });
}

describe('the back ends of the embed guide make tokens that the server takes (docs/guides/embed.md)', () => {
  itWith('php', 'PHP', async () => {
    const directory = folderWith('helper-token.php');
    // This plays a user who has already signed in to the application.
    const signIn = `<?php session_id('ann'); session_start(); $_SESSION['user'] =
      ['id' => '7', 'name' => 'Ann', 'roles' => ['Supervisor']]; session_write_close();`;
    writeFileSync(join(directory, 'sign-in.php'), signIn);
    const settings = ['session.use_cookies=0', `session.save_path=${directory}`, 'auto_prepend_file=sign-in.php'];
    const said = run(directory, 'php', [...settings.flatMap((setting) => ['-d', setting]), 'helper-token.php']);
    await expectAccepted((JSON.parse(said) as { token: string }).token);
  });

  itWith('django', 'Django', async () => {
    const directory = folderWith('helper_token.py');
    const program = `
import types
from django.conf import settings
settings.configure(DEFAULT_CHARSET="utf-8")
from django.test import RequestFactory
from helper_token import helper_token
request = RequestFactory().get("/helper-token")
groups = types.SimpleNamespace(all=lambda: [types.SimpleNamespace(name="Supervisor")])
request.user = types.SimpleNamespace(pk=7, is_authenticated=True, get_username=lambda: "Ann", groups=groups)
print(helper_token(request).content.decode())
request.user = types.SimpleNamespace(is_authenticated=False)
assert helper_token(request).status_code == 401
`;
    const said = run(directory, 'python3', ['-c', program]);
    await expectAccepted((JSON.parse(said) as { token: string }).token);
  });

  itWith('ruby', 'Rails', async () => {
    const directory = folderWith('helper_token.rb', 'helper_tokens_controller.rb');
    run(directory, 'ruby', ['-c', 'helper_tokens_controller.rb']);
    const program = `require './helper_token'
      user = Struct.new(:id, :name, :roles).new(7, 'Ann', ['Supervisor'])
      print HelperToken.make(user, ENV.fetch('HELPER_TOKEN_SECRET'))`;
    await expectAccepted(run(directory, 'ruby', ['-e', program]));
  });
});

describe('the examples of the embed guide are programs (docs/guides/embed.md)', () => {
  itWith('python', 'Django: Python compiles it', () => {
    run(folderWith('helper_token.py'), 'python3', ['-m', 'py_compile', 'helper_token.py']);
  });

  it.each(['Assistant.tsx', 'assistant.js', 'helper-embed.js', 'dictation.js'])('TypeScript reads %s', (name) => {
    const { diagnostics = [] } = ts.transpileModule(exampleFile(guide, name), {
      fileName: name,
      reportDiagnostics: true,
      compilerOptions: { jsx: ts.JsxEmit.Preserve, target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext },
    });
    expect(diagnostics.map(({ messageText }) => messageText)).toEqual([]);
  });

  it.each([
    ['Program.cs', 'c-sharp', (text: string) => text],
    // The C# of this file is inside Razor, for which there is no grammar here. Only the C# is read.
    ['Assistant.razor', 'c-sharp', (text: string) => `class Assistant ${text.split('@code ')[1] ?? 'without code'}`],
    ['helper-token.php', 'php', (text: string) => text],
    ['helper_token.rb', 'ruby', (text: string) => text],
    ['helper_tokens_controller.rb', 'ruby', (text: string) => text],
  ])('the grammar of its language reads %s', async (name, grammar, codeOf) => {
    await Parser.init();
    const parser = new Parser();
    parser.setLanguage(
      await Language.load(require.resolve(`@vscode/tree-sitter-wasm/wasm/tree-sitter-${grammar}.wasm`)),
    );
    const code = codeOf(exampleFile(guide, name));
    expect(faultsOf(parser.parse(code)?.rootNode)).toEqual([]);
    // The parser reports a superfluous brace. This shows that it reads the file as code and not as text.
    expect(faultsOf(parser.parse(`${code}\n)(`)?.rootNode)).not.toEqual([]);
  });

  itWith('java', 'Android: Java’s own parser reads it', () => {
    const directory = folderWith('AssistantActivity.java');
    writeFileSync(join(directory, 'Parse.java'), javaParser);
    expect(run(directory, 'java', ['Parse.java', 'AssistantActivity.java'])).toBe('');
  });
});

/** The places at which a text breaks the grammar. */
function faultsOf(node: Node | undefined): string[] {
  if (node === undefined) return ['nothing was read'];
  if (node.isError || node.isMissing) return [`line ${String(node.startPosition.row + 1)}: ${node.text.slice(0, 60)}`];
  return node.children.flatMap((child) => (child === null ? [] : faultsOf(child)));
}

/** Prints what the compiler says about the grammar of a file, without the libraries it uses. */
const javaParser = `
import com.sun.source.util.JavacTask;
import java.nio.file.Path;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaFileObject;
import javax.tools.ToolProvider;

public class Parse {
    public static void main(String[] names) throws Exception {
        var compiler = ToolProvider.getSystemJavaCompiler();
        var files = compiler.getStandardFileManager(null, null, null);
        var faults = new DiagnosticCollector<JavaFileObject>();
        var task = (JavacTask) compiler.getTask(null, files, faults, null, null, files.getJavaFileObjects(Path.of(names[0])));
        task.parse();
        faults.getDiagnostics().forEach(System.out::println);
    }
}
`;
