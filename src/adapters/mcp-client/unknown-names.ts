import { nearestName } from '../../core/errors/nearest-name.ts';

/** A warning by its code (docs/reference/warnings.md). */
export interface McpWarning {
  readonly code: string;
  readonly message: string;
}

/** Documented in `docs/reference/warnings.md`. */
const code = 'HLP1161';

/** The most warnings of this kind for one server. More would hide the other warnings. */
const most = 10;

/**
 * A warning for each name in the configuration that no tool of a server has, with the name that is most like it. `named`: the names by the
 * setting in which they stand.
 */
export function unknownNames(
  named: Readonly<Record<string, readonly string[]>>,
  { server, tools }: { readonly server: string; readonly tools: readonly string[] },
): readonly McpWarning[] {
  return Object.entries(named)
    .flatMap(([setting, names]) => names.filter((name) => !tools.includes(name)).map((name) => ({ setting, name })))
    .slice(0, most)
    .map(({ setting, name }) => {
      const nearest = nearestName(name, tools);
      const meant = nearest === undefined ? '' : ` (did you mean ${JSON.stringify(nearest)}?)`;
      return {
        code,
        message: `${setting} names ${JSON.stringify(name)}, which is no tool of the MCP server ${server}, so it does nothing${meant}.`,
      };
    });
}
