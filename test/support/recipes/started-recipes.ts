import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { exampleFile } from '../../unit/docs/pages.ts';
import { freePort } from '../free-port.ts';
import { type AddedFiles, folderOf, recipePage, sharedFile, startListener, startProgram } from './recipe-folder.ts';

/** What a test sets in the environment of a program, beside `recipeEnvironment`. */
type Environment = Readonly<Record<string, string>>;

/** Files of a page, each at its place in the application. */
function filesOf(page: string, places: Readonly<Record<string, string>>): AddedFiles {
  return Object.fromEntries(
    Object.entries(places).map(([name, place]) => [place, exampleFile(recipePage(page), name)]),
  );
}

/** The program of the page itself. Resolves with the address of the application. */
export function startExpress(environment: Environment = {}): Promise<string> {
  const folder = folderOf({
    ...filesOf('express', { 'server.mjs': 'server.mjs' }),
    'helper-manifest.json': sharedFile('helper-manifest.json'),
    'public/helper-user.js': sharedFile('helper-user.js'),
  });
  return startProgram({ folder, command: process.execPath, parameters: ['server.mjs'], environment });
}

/** Serves the route handler of the page as Next.js calls it: with a `Request`, for a `Response`. */
export function startNext(environment: Environment = {}): Promise<string> {
  const route = exampleFile(recipePage('nextjs'), 'route.ts');
  const folder = folderOf({
    // Node wants the type of a module that is JSON; Next.js does not.
    'route.ts': route.replace(`.json';`, `.json' with { type: 'json' };`),
    'helper-manifest.json': sharedFile('helper-manifest.json'),
    'package.json': '{ "type": "module" }',
    'serve.mjs': `
      import { createServer } from 'node:http';
      import { GET, POST } from './route.ts';
      const server = createServer(async (incoming, outgoing) => {
        const parts = [];
        for await (const part of incoming) parts.push(part);
        const { method, headers } = incoming;
        const body = method === 'POST' ? Buffer.concat(parts) : undefined;
        const request = new Request('http://localhost' + incoming.url, { method, headers, body });
        // A handler that throws is answered with 500.
        const answer = async () => (method === 'POST' ? POST : GET)(request);
        const response = await answer().catch(() => new Response(null, { status: 500 }));
        outgoing.writeHead(response.status, Object.fromEntries(response.headers));
        outgoing.end(Buffer.from(await response.arrayBuffer()));
      });
      server.listen(0, '127.0.0.1', () => console.log('http://127.0.0.1:' + server.address().port));`,
  });
  return startProgram({ folder, command: process.execPath, parameters: ['serve.mjs'], environment });
}

/** The views and models of the page in a project with one user, whose key is 7, and her order. */
export function startDjango(environment: Environment = {}): Promise<string> {
  const folder = folderOf({
    ...filesOf('django', { 'models.py': 'shop/models.py', 'views.py': 'shop/views.py' }),
    'shop/__init__.py': '',
    // Stands in for PyJWT, which the views import for tokens. They make none here.
    'jwt.py': '',
    'shop/helper-manifest.json': sharedFile('helper-manifest.json'),
    'run.py': `
import django
from django.conf import settings
settings.configure(
    ALLOWED_HOSTS=["*"], ROOT_URLCONF="urls", SECRET_KEY="test", USE_TZ=True,
    INSTALLED_APPS=["django.contrib.auth", "django.contrib.contenttypes", "shop"],
    DEFAULT_AUTO_FIELD="django.db.models.BigAutoField",
    MIDDLEWARE=["django.middleware.csrf.CsrfViewMiddleware"],
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": "shop.db"}},
)
django.setup()
from django.contrib.auth.models import User
from django.core.management import call_command
from django.core.wsgi import get_wsgi_application
from shop.models import Order
call_command("migrate", run_syncdb=True, verbosity=0)
Order.objects.create(number=1001, customer=User.objects.create(pk=7, username="ann"))
from wsgiref.simple_server import make_server
server = make_server("127.0.0.1", 0, get_wsgi_application())
print(f"http://127.0.0.1:{server.server_port}", flush=True)
server.serve_forever()
`,
    'urls.py':
      'from django.urls import path\nfrom shop.views import helper_actions\nurlpatterns = [path("helper-actions", helper_actions)]\n',
  });
  return startProgram({ folder, command: 'python3', parameters: ['run.py'], environment });
}

/** The files of the page in PHP's own server, with a user who has signed in. */
export async function startPhp(environment: Environment = {}): Promise<string> {
  const port = await freePort();
  const names = ['page.php', 'helper-token.php', 'helper-actions.php'];
  const folder = folderOf({
    ...filesOf('php', Object.fromEntries(names.map((name) => [name, `public/${name}`]))),
    'public/helper-user.js': sharedFile('helper-user.js'),
    'public/helper-manifest.json': sharedFile('helper-manifest.json'),
    'data/orders.json': JSON.stringify({ 1001: { customer: 'ann', status: 'open' } }),
    'public/sign-in.php': `<?php if (session_status() === PHP_SESSION_NONE) { session_id('ann'); session_start();
      $_SESSION['user'] = ['id' => 'ann', 'name' => 'Ann']; session_write_close(); }`,
    'public/router.php': `<?php
      $path = parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH);
      if ($path === '/helper-token') { require 'sign-in.php'; require 'helper-token.php'; return true; }
      if ($path === '/') { require 'page.php'; return true; }
      return false;`,
  });
  const settings = ['session.use_cookies=0', `session.save_path=${folder}`].flatMap((setting) => ['-d', setting]);
  const parameters = [...settings, '-S', `127.0.0.1:${String(port)}`, '-t', 'public', 'public/router.php'];
  return startListener({ folder, command: 'php', parameters, environment }, port);
}

/** A Java server that plays the callback, with the signature check of the page. */
export function startSpring(environment: Environment = {}): Promise<string> {
  const folder = folderOf({
    ...filesOf('spring', { 'HelperSignature.java': 'HelperSignature.java' }),
    'helper-manifest.json': sharedFile('helper-manifest.json'),
    'Played.java': readFileSync(join(import.meta.dirname, 'Played.java'), 'utf8'),
  });
  execFileSync('javac', ['-d', '.', 'HelperSignature.java', 'Played.java'], { cwd: folder });
  return startProgram({ folder, command: 'java', parameters: ['-cp', '.', 'Played'], environment });
}

/** A Ruby server that plays the callback, with the signature check of the page. */
export function startRails(environment: Environment = {}): Promise<string> {
  const folder = folderOf({
    ...filesOf('rails', { 'helper_signature.rb': 'helper_signature.rb' }),
    'helper-manifest.json': sharedFile('helper-manifest.json'),
    'played.rb': readFileSync(join(import.meta.dirname, 'played.rb'), 'utf8'),
  });
  return startProgram({ folder, command: 'ruby', parameters: ['played.rb'], environment });
}

/** The plugin of the page, called by a script that stands in for the functions of WordPress which it uses. */
export async function startWordPress(environment: Environment = {}): Promise<string> {
  const port = await freePort();
  const folder = folderOf({
    ...filesOf('wordpress', { 'helper.php': 'helper.php' }),
    'played-wordpress.php': readFileSync(join(import.meta.dirname, 'played-wordpress.php'), 'utf8'),
  });
  const parameters = ['-S', `127.0.0.1:${String(port)}`, 'played-wordpress.php'];
  return startListener({ folder, command: 'php', parameters, environment }, port);
}
