import cookie from '@fastify/cookie'
import helmet from '@fastify/helmet'
import multipart from '@fastify/multipart'
import type { Failure } from '@kit/contract'
import { commonErrors, fail, isWebhook } from '@kit/contract'
import Fastify from 'fastify'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Build } from '../config/index.ts'
import type { Database } from '../db/index.ts'
import type { App, Gate, WriteOperation } from './context.ts'
import { anonymousWait, dispatch } from './dispatch.ts'
import type { Desk } from './dispatch.ts'
import { serveDocs } from './docs.ts'
import type { DomainServer } from './domain.ts'
import { prepareDrain } from './drain.ts'
import type { Drain } from './drain.ts'
import { answerUnknown, guardRequests } from './guards.ts'
import { serveHealth } from './health.ts'
import type { ReadyPart } from './health.ts'
import { header_bytes, headers_ms, json_body_bytes, keep_alive_ms, look_ms, param_length, request_ms } from './limits.ts'
import { serveMetrics } from './metrics.ts'
import type { Metrics } from './metrics.ts'
import { mayUpgrade, ownSocket } from './own-socket.ts'
import { answerUnreadable, bare_policy } from './raw-answer.ts'
import { loadStores, storeOrigins } from '../secrets/index.ts'
import { asRefusal, sendRefusal } from './reply.ts'
import { endSlowConnections } from './slow-body.ts'
import type { Route } from './implement.ts'
import { guardStorage } from './storage.ts'
import { readStrictJson } from './text-edge.ts'
import { MinuteWindow } from './throttle.ts'

/**
 * Answers an address that is no route (the pages); null = 404. `wait` counts a page that costs more than a file with the address's other
 * requests without a session, and answers the seconds to wait, 0 when it may go on.
 */
export type Fallback = (request: FastifyRequest, reply: FastifyReply, wait: () => number) => FastifyReply | Promise<FastifyReply> | null
export type HttpOptions = {
  app: App
  database: Database
  domains: readonly DomainServer[]
  gate: Gate
  write_operation: WriteOperation
  metrics: Metrics
  build: Build
  /** what `/readyz` asks beside the database */
  ready: readonly ReadyPart[]
  fallback?: Fallback
}
export type HttpServer = { http: FastifyInstance; drain: Drain['drain'] }

/** Routes that carry no school data and stand outside the registry. */
const plain_routes = ['/livez', '/readyz', '/metrics', '/api/openapi.json', '/api/docs/swagger-initializer.js', '/api/docs', '/api/docs/', '/api/docs/*', '/assets/*', '/mini/assets/*', '/help/assets/*', '/board/assets/*', '/board/sw.js']

/** Builds the HTTP server: every route comes from the registry, anything else stops the start. */
export async function createHttp(options: HttpOptions): Promise<HttpServer> {
  const { app, database, domains } = options
  const server = newServer(app)
  const { drain, is_draining } = prepareDrain(server)
  await server.register(helmet, { contentSecurityPolicy: { useDefaults: false, directives: contentPolicy(storeOrigins(loadStores(app.config)), mediaOrigin(app.config.CAMPUS_MEDIA_GATEWAY)) }, hsts: false, referrerPolicy: { policy: 'no-referrer' } })
  guardRequests(server)
  endSlowConnections(server)
  await server.register(cookie)
  await server.register(multipart)
  readStrictJson(server)
  refuseStrangers(server, domains)
  answerErrors(server, app)
  const unknown = answerUnknown(app.calls)
  const window = new MinuteWindow()
  server.setNotFoundHandler((request, reply) => options.fallback?.(request, reply, () => anonymousWait({ app, window }, request.ip)) ?? unknown(request, reply))
  serveMetrics(server, app, options.metrics)
  await serveCalls(server, options, window)
  const running = { name: 'running', check: async () => !is_draining() }
  const reachable = { name: 'database', check: () => database.ping().then(() => true) }
  serveHealth(server, [running, reachable, ...options.ready], options.build)
  await serveDocs(server, app.calls)
  return { http: server, drain }
}

function newServer({ config }: App): FastifyInstance {
  const server = Fastify({
    trustProxy: config.CAMPUS_TRUST_PROXY === '' ? false : config.CAMPUS_TRUST_PROXY.split(','),
    bodyLimit: json_body_bytes,
    requestTimeout: request_ms,
    keepAliveTimeout: keep_alive_ms,
    connectionTimeout: 0,
    forceCloseConnections: 'idle',
    clientErrorHandler: answerUnreadable,
    // Addresses that cannot be read: no hook has run for them.
    frameworkErrors: (_error, _request, reply) => void sendRefusal(reply.header('content-security-policy', bare_policy), fail(commonErrors.malformed)),
    http: { maxHeaderSize: header_bytes, headersTimeout: headers_ms, connectionsCheckingInterval: look_ms, shouldUpgradeCallback: mayUpgrade },
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: param_length },
  })
  // Lines beyond Node's own limit are dropped in silence: ours counts what is left, and has to see more than it allows.
  server.server.maxHeadersCount = 0
  return server
}

async function serveCalls(server: FastifyInstance, { app, database, domains, gate, write_operation }: HttpOptions, window: MinuteWindow): Promise<void> {
  const constraints = new Map<string, Failure>(domains.flatMap(domain => Object.entries(domain.constraints ?? {})))
  const desk: Desk = { app, engine: { database, write_operation, constraints }, gate, window, storage: guardStorage(app) }
  const routes = domains.flatMap(domain => domain.routes)
  const serve = (at: FastifyInstance, route: Route) => {
    const { method, paths, call } = route.call
    for (const url of paths) at.route({ method, url, config: { call }, handler: (request, reply) => dispatch(desk, route, request, reply) })
  }
  for (const route of routes.filter(({ call }) => !isWebhook(call))) serve(server, route)
  await server.register(async letters => {
    takeLetters(letters)
    for (const route of routes.filter(({ call }) => isWebhook(call))) serve(letters, route)
  })
}

/** What a provider signs is read as text, whatever it says it is. */
function takeLetters(at: FastifyInstance): void {
  at.removeAllContentTypeParsers()
  at.addContentTypeParser('*', { parseAs: 'string' }, async (_request: FastifyRequest, body: string) => body)
}

function mediaOrigin(gateway: string): readonly string[] {
  return gateway === '' ? [] : [new URL(gateway).origin]
}

/** `stores`: outside stores, to which pages send files and from which they show pictures; `media`: where live pictures of cameras come from. */
function contentPolicy(stores: readonly string[], media: readonly string[]): Record<string, (string | typeof ownSocket)[]> {
  return {
    'default-src': ["'self'"],
    'script-src': ["'self'"],
    'style-src': ["'self'"],
    'img-src': ["'self'", 'data:', 'blob:', ...stores],
    'connect-src': ["'self'", ownSocket, ...stores, ...media],
    'media-src': ["'self'", 'blob:', ...stores, ...media],
    'frame-src': ["'self'"],
  'object-src': ["'none'"],
    'base-uri': ["'none'"],
    'frame-ancestors': ["'none'"],
    'form-action': ["'self'"],
  }
}

function refuseStrangers(server: FastifyInstance, domains: readonly DomainServer[]): void {
  const known = new Set(domains.flatMap(domain => domain.routes).flatMap(route => route.call.paths.map(path => `${route.call.method} ${path}`)))
  const seen = new Set<string>()
  server.addHook('onRoute', route => {
    const methods = [route.method].flat().filter(method => method !== 'HEAD')
    for (const method of methods) {
      const name = `${method} ${route.url}`
      if (plain_routes.includes(route.url)) continue
      if (!known.has(name)) throw new Error(`route outside the registry: ${name}`)
      if (seen.has(name)) throw new Error(`route declared twice: ${name}`)
      seen.add(name)
    }
  })
}

function answerErrors(server: FastifyInstance, app: App): void {
  server.setErrorHandler((error, request, reply) => {
    const refusal = asRefusal(error)
    if (refusal) return sendRefusal(reply, refusal)
    app.log.error({ err: error, route: request.routeOptions.url }, 'request failed')
    return sendRefusal(reply, fail(commonErrors.internal))
  })
}
