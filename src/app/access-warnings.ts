import type { LoadedPlugin } from '../adapters/plugin-directory/loaded-plugin.ts';
import type { HelperSettings } from '../config/settings.ts';
import { callersPlugin } from './channels/mcp-callers.ts';
import type { ComposedTools } from './compose-tools.ts';
import type { OpenedSkills } from './skills/open-skills.ts';

/** Documented in `docs/reference/warnings.md`. */
const codes = { noTenants: 'HLP1032', nobodyOfTenant: 'HLP1033', nobodyWithRole: 'HLP1034' } as const;

interface Warning {
  readonly code: string;
  readonly message: string;
}

/** Something that only users with certain roles or tenants get. `label` is its name in a warning. */
interface Restricted {
  readonly label: string;
  readonly roles: readonly string[];
  readonly tenants: readonly string[];
}

/** The parts whose actions, pages, sources of documents and skills may be kept to roles or tenants. */
interface Prepared {
  readonly tools: Pick<ComposedTools, 'toolbox'>;
  readonly skills: Pick<OpenedSkills, 'report'>;
}

/** The most names that a warning lists. A warning only counts the others. */
const mostNames = 5;

/** Warns of everything that is kept to tenants on a server that knows no tenants: no user gets it (contract/identity.md#tenants). */
export function tenantWarnings(settings: HelperSettings, prepared: Prepared): readonly Warning[] {
  if (settings.tenancy.claim !== null) return [];
  const kept = restricted(settings, prepared).filter(({ tenants }) => tenants.length > 0);
  if (kept.length === 0) return [];
  const message = `for nobody: ${namesOf(kept)}. They name tenants, but tenancy.claim does not say which claim names the tenant of a user.`;
  return [{ code: codes.noTenants, message }];
}

/** Warns of everything that needs a signed-in user on a server where nobody can sign in (contract/identity.md#roles). */
export function signInWarnings(
  settings: HelperSettings,
  prepared: Prepared & { readonly plugins: readonly LoadedPlugin[] },
): readonly Warning[] {
  const knowsPrograms = settings.mcpServerEnabled && callersPlugin(prepared.plugins) !== undefined;
  if (settings.auth.jwt !== null || knowsPrograms) return [];
  const kept = restricted(settings, prepared).filter(({ roles }) => roles.length > 0);
  return [
    ...(settings.tenancy.claim === null
      ? []
      : [
          {
            code: codes.nobodyOfTenant,
            message:
              'tenancy.claim has no effect: without auth.jwt nobody signs in, and whoever does not is of no tenant.',
          },
        ]),
    // The demo model shows a refusal on purpose, so it gives no warning.
    ...(kept.length === 0 || settings.models[settings.chatClient ?? '']?.provider === 'demo'
      ? []
      : [
          {
            code: codes.nobodyWithRole,
            message: `for nobody: ${namesOf(kept)}. They need a role, but without auth.jwt nobody has one.`,
          },
        ]),
  ];
}

function restricted({ ragSources }: HelperSettings, { tools, skills }: Prepared): readonly Restricted[] {
  const { tools: actions, pages } = tools.toolbox.current;
  return [
    ...actions.map(({ name, requiredRoles: roles, tenants = [] }) => ({ label: `action ${name}`, roles, tenants })),
    ...pages.map(({ name, requiredRoles: roles }) => ({ label: `page ${name}`, roles, tenants: [] })),
    ...ragSources.map(({ name, requiredRoles: roles, tenants }) => ({ label: `documents ${name}`, roles, tenants })),
    ...skills.report.map(({ name, roles, tenants }) => ({ label: `skill ${name}`, roles, tenants })),
  ];
}

function namesOf(kept: readonly Restricted[]): string {
  const names = kept.slice(0, mostNames).map(({ label }) => label);
  const more = kept.length - names.length;
  return [...names, ...(more > 0 ? [`${String(more)} more`] : [])].join(', ');
}
