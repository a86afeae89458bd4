import type { HelperSettings } from '../config/settings.ts';
import type { ComposedTools } from './compose-tools.ts';
import type { OpenedSkills } from './skills/open-skills.ts';

/** Documented in `docs/reference/warnings.md`. */
const codes = { noTenants: 'HLP1032', nobodyOfTenant: 'HLP1033', nobodyWithRole: 'HLP1034' } as const;

interface Warning {
  readonly code: string;
  readonly message: string;
}

/** Something that is for some users alone, named for people. */
interface Restricted {
  readonly label: string;
  readonly roles: readonly string[];
  readonly tenants: readonly string[];
}

/** What stands behind roles or tenants: actions, pages, sources of documents and skills. */
interface Prepared {
  readonly tools: Pick<ComposedTools, 'toolbox'>;
  readonly skills: Pick<OpenedSkills, 'report'>;
}

/** Names in a warning; the others are counted. */
const mostNames = 5;

/** What is kept to tenants although the server knows none, so that nobody gets it (contract/identity.md#tenants). */
export function tenantWarnings(settings: HelperSettings, prepared: Prepared): readonly Warning[] {
  if (settings.tenancy.claim !== null) return [];
  const kept = restricted(settings, prepared).filter(({ tenants }) => tenants.length > 0);
  if (kept.length === 0) return [];
  const message = `for nobody: ${namesOf(kept)}. They name tenants, but tenancy.claim does not say which claim names the tenant of a user.`;
  return [{ code: codes.noTenants, message }];
}

/** What needs users who sign in, on a server where nobody can (contract/identity.md#roles). */
export function signInWarnings(settings: HelperSettings, prepared: Prepared): readonly Warning[] {
  if (settings.auth.jwt !== null) return [];
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
    // The demo shows a refusal on purpose.
    ...(kept.length === 0 || settings.models[settings.chatClient]?.provider === 'demo'
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
