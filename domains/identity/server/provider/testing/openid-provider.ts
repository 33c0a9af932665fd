import { once } from 'node:events'
import { createServer } from 'node:http'
import { exportJWK, generateKeyPair } from 'jose'
import { Provider } from 'oidc-provider'

type Client = { client_id: string; secret: string; callback: string }

/** A certified OpenID provider (npm: oidc-provider) on loopback, and somebody who signs in to it by its own pages. */
export async function startOpenidProvider({ client_id, secret, callback }: Client) {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const issuer = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  const provider = new Provider(issuer, {
    clients: [{ client_id, client_secret: secret, redirect_uris: [callback], response_types: ['code'], grant_types: ['authorization_code'] }],
    jwks: { keys: [{ ...(await exportJWK(privateKey)), kid: 'k1', use: 'sig', alg: 'RS256' }] },
    cookies: { keys: ['a key of the test'] },
    pkce: { required: () => true },
    claims: { openid: ['sub'], profile: ['preferred_username'], phone: ['phone_number', 'phone_number_verified'] },
    findAccount: (_ctx, id) => ({ accountId: id, claims: () => ({ sub: id, preferred_username: id, phone_number: '13800000000', phone_number_verified: true }) }),
    async loadExistingGrant(ctx) {
      const grant = new ctx.oidc.provider.Grant({ clientId: client_id, accountId: ctx.oidc.session?.accountId })
      grant.addOIDCScope('openid profile phone')
      await grant.save()
      return grant
    },
  })
  server.on('request', provider.callback())
  return {
    issuer,
    signIn: (out: string, account: string) => signIn(out, account, callback),
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
export type OpenidProvider = Awaited<ReturnType<typeof startOpenidProvider>>

/** Goes through the provider's pages as a browser does, until it sends back to us. */
async function signIn(out: string, account: string, callback: string): Promise<URL> {
  const jar = new Map<string, string>()
  let at = out
  let form: URLSearchParams | null = null
  for (let steps = 0; steps < 10; steps += 1) {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await fetch(at, { method: form ? 'POST' : 'GET', redirect: 'manual', headers: { cookie }, ...(form ? { body: form } : {}) })
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      jar.set(name, value)
    }
    const location = answer.headers.get('location')
    if (location?.startsWith(callback.split('?')[0] ?? callback)) return new URL(location)
    const page = location ? '' : await answer.text()
    at = new URL(location ?? /action="([^"]+)"/.exec(page)?.[1] ?? '', at).href
    form = location ? null : new URLSearchParams({ prompt: 'login', login: account, password: 'any' })
  }
  throw new Error('the provider never sent back')
}
