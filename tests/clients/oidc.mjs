// An OpenID provider on loopback, which others wrote: it gives access tokens as JWTs for one resource.
//
// It prints its issuer's address. Clients `ask` and `read` (secret `secret`) get tokens by client_credentials;
// only `ask` may have the scope holdpoint:ask.

import { createServer } from 'node:http';
import Provider from 'oidc-provider';

const server = createServer((request, response) => handle(request, response));
await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
const issuer = `http://127.0.0.1:${server.address().port}`;

const client = (client_id, scope) => ({
  client_id,
  client_secret: 'secret',
  grant_types: ['client_credentials'],
  redirect_uris: [],
  response_types: [],
  scope,
});

const provider = new Provider(issuer, {
  clients: [client('ask', 'holdpoint:ask other'), client('read', 'other')],
  scopes: ['holdpoint:ask', 'other'],
  features: {
    clientCredentials: { enabled: true },
    devInteractions: { enabled: false },
    resourceIndicators: {
      enabled: true,
      getResourceServerInfo: (context, resource) => ({
        scope: 'holdpoint:ask other',
        audience: resource,
        accessTokenFormat: 'jwt',
        accessTokenTTL: 600,
      }),
    },
  },
});
const handle = provider.callback();
console.log(issuer);
