/** What is wrong when an entry of `models` names a plugin's model that is not there. */
export function missingPluginModel(name: string, models: ReadonlyMap<string, object>): string {
  const known = [...models.keys()].join(', ');
  return `no loaded plugin exports a model named "${name}"; there is ${known === '' ? 'none' : known}`;
}
