import cookie from '@fastify/cookie'
import helmet from '@fastify/helmet'
import multipart from '@fastify/multipart'
import type { Failure } from '@kit/contract'
import { commonErrors, fail } from '@kit/contract'
import Fastify from 'fastify'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Database } from '../db/index.ts'
import type { App, Gate, WriteOperation } from './context.ts'
import { dispatch } from './dispatch.ts'
import type { Desk } from './dispatch.ts'
import { serveDocs } from './docs.ts'
import type { DomainServer } from './domain.ts'
import { asRefusal, sendRefusal } from './reply.ts'
import { MinuteWindow } from './throttle.ts'

export type HttpOptions = {
  app: App
  database: Database
  domains: readonly DomainServer[]
  gate: Gate
  write_operation: WriteOperation
  /** answers an address that is no route (the console's pages); absent = 404 */
  fallback?: (request: FastifyRequest, reply: FastifyReply) => unknown
}

/** Routes that carry no school data and stand outside the registry. */
const plain_routes = ['/livez', '/readyz', '/api/openapi.json', '/api/docs/swagger-initializer.js', '/api/docs', '/api/docs/', '/api/docs/*', '/assets/*']

/** Builds the HTTP server: every route comes from the registry, anything else stops the start. */
export async function createHttp(options: HttpOptions): Promise<FastifyInstance> {
  const { app, database, domains } = options
  const server = Fastify({
    trustProxy: app.config.CAMPUS_TRUST_PROXY === '' ? false : app.config.CAMPUS_TRUST_PROXY.split(','),
    bodyLimit: 1024 * 1024,
    requestTimeout: 120_000,
    keepAliveTimeout: 15_000,
    connectionTimeout: 0,
    forceCloseConnections: 'idle',
    return503OnClosing: true,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 200 },
  })
  server.server.headersTimeout = 15_000
  await server.register(helmet, { contentSecurityPolicy: { useDefaults: false, directives: content_policy }, hsts: false, referrerPolicy: { policy: 'no-referrer' } })
  await server.register(cookie)
  await server.register(multipart)
  refuseStrangers(server, domains)
  answerErrors(server, app)
  server.setNotFoundHandler((request, reply) => options.fallback?.(request, reply) ?? sendRefusal(reply, fail(commonErrors.notFound)))
  const constraints = new Map<string, Failure>(domains.flatMap(domain => Object.entries(domain.constraints ?? {})))
  const desk: Desk = { app, engine: { database, write_operation: options.write_operation, constraints }, gate: options.gate, window: new MinuteWindow() }
  for (const route of domains.flatMap(domain => domain.routes)) {
    for (const url of route.call.paths) {
      server.route({ method: route.call.method, url, handler: (request, reply) => dispatch(desk, route, request, reply) })
    }
  }
  healthRoutes(server, database)
  await serveDocs(server, app.calls)
  return server
}

const content_policy = {
  'default-src': ["'self'"],
  'script-src': ["'self'"],
  'style-src': ["'self'", "'unsafe-inline'"],
  'img-src': ["'self'", 'data:', 'blob:'],
  'object-src': ["'none'"],
  'base-uri': ["'none'"],
  'frame-ancestors': ["'none'"],
  'form-action': ["'self'"],
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

function healthRoutes(server: FastifyInstance, database: Database): void {
  server.get('/livez', (_request, reply) => reply.header('cache-control', 'no-store').send({ status: 'ok' }))
  server.get('/readyz', async (_request, reply) => {
    await database.ping()
    return reply.header('cache-control', 'no-store').send({ status: 'ok' })
  })
}
