/** The fault of an entry of `models` that names a missing model of a plugin. */
export function missingPluginModel(name: string, models: ReadonlyMap<string, object>): string {
  const known = [...models.keys()].join(', ');
  return `no loaded plugin exports a model named "${name}"; there is ${known === '' ? 'none' : known}`;
}
