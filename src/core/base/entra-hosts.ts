/** Where Microsoft Entra ID signs users in: everywhere, and in the clouds of the United States, China, France, Germany and Singapore. */
export const entraHosts: readonly string[] = [
  ...['login.microsoftonline.com', 'login.microsoftonline.us', 'login.partner.microsoftonline.cn'],
  ...['login.sovcloud-identity.fr', 'login.sovcloud-identity.de', 'login.sovcloud-identity.sg'],
];
