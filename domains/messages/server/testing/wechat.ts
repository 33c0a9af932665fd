import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { z } from 'zod'

const Json = z.record(z.string(), z.unknown())
type Heard = { path: string; body: Record<string, unknown>; authorization: string }
type Answered = { status?: number; body: Record<string, unknown> }

/**
 * A provider on this machine that checks what it receives like the real one and answers with its error numbers. `tokens`: how many it has
 * given; `forget()` makes it refuse the token it gave last; `refuses`: the number it answers to the next messages;
 * `first`: what happens before it answers a message.
 */
export type Provider = { url: string; heard: Heard[]; tokens: number; refuses: number; first: (() => Promise<void>) | undefined; forget(): void; close(): Promise<void> }
type Rules = (at: { path: string; query: URLSearchParams; body: Record<string, unknown>; authorization: string }, provider: Provider, token: () => string) => Answered

/** WeChat Work: corporation `ww1` with the secret `corp-secret` and application 1000002; the account `stranger` is not in it. */
export function startWecom(): Promise<Provider> {
  return start(({ path, query, body }, provider, token) => {
    if (path === '/cgi-bin/gettoken') {
      if (query.get('corpid') !== 'ww1') return { body: { errcode: 40013, errmsg: 'invalid corpid' } }
      if (query.get('corpsecret') !== 'corp-secret') return { body: { errcode: 40001, errmsg: 'invalid credential' } }
      provider.tokens += 1
      return { body: { errcode: 0, errmsg: 'ok', access_token: token(), expires_in: 7200 } }
    }
    if (path !== '/cgi-bin/message/send') return { status: 404, body: {} }
    const given = query.get('access_token')
    if (given === null) return { body: { errcode: 41001, errmsg: 'access_token missing' } }
    if (given !== token()) return { body: { errcode: 42001, errmsg: 'access_token expired' } }
    if (provider.refuses !== 0) return { body: { errcode: provider.refuses, errmsg: 'refused' } }
    if (body.agentid !== 1000002) return { body: { errcode: 40056, errmsg: 'invalid agentid' } }
    if (body.touser === 'stranger') return { body: { errcode: 81013, errmsg: 'user & party & tag all invalid' } }
    return { body: { errcode: 0, errmsg: 'ok', invaliduser: '', msgid: `ww-${provider.heard.length}` } }
  })
}

/** An Official Account `wx1` with the secret `app-secret` and the template `TPL1`; `no-follower` does not follow it. */
export function startWeixin(): Promise<Provider> {
  return start(({ path, query, body }, provider, token) => {
    if (path === '/cgi-bin/stable_token') {
      if (body.appid !== 'wx1' || body.grant_type !== 'client_credential') return { body: { errcode: 40013, errmsg: 'invalid appid' } }
      if (body.secret !== 'app-secret') return { body: { errcode: 40125, errmsg: 'invalid appsecret' } }
      provider.tokens += 1
      return { body: { access_token: token(), expires_in: 7200 } }
    }
    if (path !== '/cgi-bin/message/template/send') return { status: 404, body: {} }
    if (query.get('access_token') !== token()) return { body: { errcode: 40001, errmsg: 'invalid credential, access_token is invalid or not latest' } }
    if (provider.refuses !== 0) return { body: { errcode: provider.refuses, errmsg: 'refused' } }
    if (body.template_id !== 'TPL1') return { body: { errcode: 40037, errmsg: 'invalid template_id' } }
    if (body.touser === 'no-follower') return { body: { errcode: 43004, errmsg: 'require subscribe' } }
    if (typeof body.touser !== 'string' || !body.touser.startsWith('o')) return { body: { errcode: 40003, errmsg: 'invalid openid' } }
    return { body: { errcode: 0, errmsg: 'ok', msgid: 2_000_000 + provider.heard.length } }
  })
}

const Push = z.object({ platform: z.literal('all'), audience: z.object({ alias: z.array(z.string()).min(1) }), notification: z.object({ alert: z.string().min(1) }) })

/** JPush for the app `key1` with the secret `master`; nobody there has the alias that `refuses` 1011. */
export function startJpush(): Promise<Provider> {
  const basic = `Basic ${Buffer.from('key1:master').toString('base64')}`
  return start(({ path, body, authorization }, provider) => {
    if (path !== '/v3/push') return { status: 404, body: { error: { code: 1000, message: 'not found' } } }
    if (authorization !== basic) return { status: 401, body: { error: { code: 1004, message: 'basic authentication failed' } } }
    if (provider.refuses !== 0) return { status: 400, body: { error: { code: provider.refuses, message: 'refused' }, msg_id: 5 } }
    if (!Push.safeParse(body).success) return { status: 400, body: { error: { code: 1003, message: 'parameter value not valid' } } }
    return { body: { sendno: '0', msg_id: `5800${provider.heard.length}` } }
  })
}

async function start(rules: Rules): Promise<Provider> {
  let given = 0
  const token = () => `token-${provider.tokens}-${given}`
  const server = createServer((request, response) => {
    void bodyOf(request).then(async body => {
      const url = new URL(request.url ?? '/', 'http://127.0.0.1')
      const authorization = request.headers.authorization ?? ''
      if (!url.pathname.endsWith('token')) {
        provider.heard.push({ path: url.pathname, body, authorization })
        await provider.first?.()
      }
      const answer = rules({ path: url.pathname, query: url.searchParams, body, authorization }, provider, token)
      response.writeHead(answer.status ?? 200, { 'content-type': 'application/json' }).end(JSON.stringify(answer.body))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const forget = () => void (given += 1)
  const provider: Provider = { url: `http://127.0.0.1:${portOf(server.address())}`, heard: [], tokens: 0, refuses: 0, first: undefined, forget, close: () => new Promise(done => void server.close(() => done())) }
  return provider
}

async function bodyOf(request: IncomingMessage): Promise<Record<string, unknown>> {
  const parts: Uint8Array[] = []
  for await (const part of request) if (part instanceof Uint8Array) parts.push(part)
  return parts.length === 0 ? {} : Json.parse(JSON.parse(Buffer.concat(parts).toString()))
}

function portOf(address: AddressInfo | string | null): number {
  return typeof address === 'object' && address !== null ? address.port : 0
}
