<?php
// Calls the plugin of the recipe for WordPress as WordPress does. What it keeps is in a file.
define('ABSPATH', __DIR__);
define('HELPER_TOKEN_SECRET', getenv('HELPER_TOKEN_SECRET'));
define('BLOG_CALLBACK_SECRET', getenv('SHOP_CALLBACK_SECRET'));

final class WP_REST_Response
{
    public function __construct(public mixed $data = null, public int $status = 200) {}
}

final class WP_REST_Request
{
    public function get_header(string $name): ?string
    {
        return $_SERVER['HTTP_' . strtoupper(strtr($name, '-', '_'))] ?? null;
    }

    public function get_body(): string
    {
        return file_get_contents('php://input');
    }

    public function get_method(): string
    {
        return $_SERVER['REQUEST_METHOD'];
    }
}

$hooks = [];
$routes = [];

function add_action(string $hook, callable $run): void
{
    $GLOBALS['hooks'][$hook][] = $run;
}

function register_rest_route(string $space, string $path, array $route): void
{
    $GLOBALS['routes']["/wp-json/$space$path"] = $route;
}

function kept(): array
{
    return json_decode(@file_get_contents(__DIR__ . '/options.json') ?: '{}', true);
}

function get_option(string $name): mixed
{
    return kept()[$name] ?? false;
}

function update_option(string $name, mixed $value): bool
{
    file_put_contents(__DIR__ . '/options.json', json_encode([...kept(), $name => $value]));
    return true;
}

/** The database of WordPress. It takes one statement, the insertion of an option that is not there yet. */
final class PlayedDatabase
{
    public string $options = 'wp_options';

    public function prepare(string $statement, string $name): array
    {
        return [$statement, $name];
    }

    public function query(array $prepared): int
    {
        [$statement, $name] = $prepared;
        if (!str_starts_with($statement, 'INSERT IGNORE INTO wp_options ')) throw new LogicException($statement);
        if (isset(kept()[$name])) return 0;
        update_option($name, '');
        return 1;
    }
}

$wpdb = new PlayedDatabase();

function user_can(int $user, string $capability, int $post): bool
{
    return $capability === 'delete_post' && $user === 7 && $post === 1001;
}

function wp_trash_post(int $post): mixed
{
    if (get_option("trashed_$post")) return false;
    update_option("trashed_$post", true);
    return (object) ['ID' => $post];
}

function wp_json_encode(mixed $value): string
{
    return json_encode($value);
}

function is_user_logged_in(): bool
{
    return true;
}

function wp_get_current_user(): object
{
    return (object) ['ID' => 7, 'display_name' => 'Ann', 'roles' => ['editor']];
}

function __return_true(): bool
{
    return true;
}

require 'helper.php';
foreach ($hooks['rest_api_init'] as $run) $run();
$route = $routes[parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH)] ?? null;
if ($route === null) return false;
$answer = $route['permission_callback']() ? $route['callback'](new WP_REST_Request()) : new WP_REST_Response(null, 401);
http_response_code($answer->status);
header('Content-Type: application/json');
echo json_encode($answer->data);
