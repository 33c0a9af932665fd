import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { getAbsoluteFSPath } from 'swagger-ui-dist'
import type { Call } from '@kit/contract'
import { openapi } from './openapi.ts'

const start_script = `window.onload = () => { window.ui = SwaggerUIBundle({ url: '/api/openapi.json', dom_id: '#swagger-ui', presets: [SwaggerUIBundle.presets.apis, SwaggerUIStandalonePreset], layout: 'StandaloneLayout' }) }\n`

/** The OpenAPI document and a page to read it; neither holds school data. */
export async function serveDocs(server: FastifyInstance, calls: readonly Call[]): Promise<void> {
  const document = openapi(calls)
  server.get('/api/openapi.json', () => document)
  server.get('/api/docs/swagger-initializer.js', (_request, reply) => reply.type('text/javascript; charset=utf-8').send(start_script))
  server.get('/api/docs', (_request, reply) => reply.redirect('/api/docs/index.html'))
  await server.register(fastifyStatic, { root: getAbsoluteFSPath(), prefix: '/api/docs/', index: false, decorateReply: false, wildcard: true })
}
