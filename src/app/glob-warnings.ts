import type { HelperSettings } from '../config/settings.ts';
import { matchesGlob } from '../core/base/glob.ts';
import { nearestName } from '../core/errors/nearest-name.ts';
import { isReservedName } from '../core/tools/tool-name.ts';
import type { ComposedTools } from './compose-tools.ts';
import { areComplete, type ToolProvider } from './providers/tool-provider.ts';

/** Documented in `docs/reference/warnings.md`. */
const code = 'HLP1035';

/** The most warnings of this kind. More of them would hide the other warnings. */
const most = 10;

/**
 * Warns of globs in policies that match no tool and therefore have no effect (contract/configuration.md#commands). There are no warnings
 * while a provider has not yet told its tools.
 */
export function globWarnings(
  settings: HelperSettings,
  { tools, providers }: { readonly tools: Pick<ComposedTools, 'toolbox'>; readonly providers: readonly ToolProvider[] },
): readonly { readonly code: string; readonly message: string }[] {
  if (!areComplete(providers)) return [];
  const ownTools = providers.flatMap((provider) => provider.offer().ownTools ?? []);
  const names = [...tools.toolbox.current.tools, ...ownTools].map(({ name }) => name);
  return globsOf(settings)
    .filter(({ glob }) => !isReservedName(glob) && !names.some((name) => matchesGlob(glob, name)))
    .slice(0, most)
    .map(({ path, glob }) => {
      const near = nearestName(glob, names);
      const meant = near === undefined ? '' : ` (did you mean "${near}"?)`;
      return { code, message: `${path}: "${glob}" matches no action or tool, so it does nothing${meant}.` };
    });
}

function globsOf(settings: HelperSettings): readonly { readonly path: string; readonly glob: string }[] {
  const { requiresApproval, isReadOnlyAction, killSwitch, onToolResult, onException, autoApprovalRules } = settings;
  const listed = (path: string, globs: readonly string[]) =>
    globs.map((glob, index) => ({ path: `${path}[${String(index)}]`, glob }));
  const ofRules = (path: string, rules: readonly { readonly tool: string }[]) =>
    rules.map(({ tool }, index) => ({ path: `${path}[${String(index)}].tool`, glob: tool }));
  return [
    ...listed('requiresApproval', requiresApproval),
    ...listed('isReadOnlyAction', isReadOnlyAction),
    ...listed('killSwitch.tools', killSwitch.tools),
    ...ofRules('onToolResult', onToolResult),
    ...ofRules('onException', onException),
    ...ofRules('autoApprovalRules', autoApprovalRules),
  ];
}
