import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
// The package's front door loads the whole page program, which only a browser runs.
import getAbsoluteFSPath from 'swagger-ui-dist/absolute-path.js'
import type { Call } from '@kit/contract'
import { openapi } from './openapi.ts'

const start_script = `window.onload = () => { window.ui = SwaggerUIBundle({ url: '/api/openapi.json', dom_id: '#swagger-ui', presets: [SwaggerUIBundle.presets.apis, SwaggerUIStandalonePreset], layout: 'StandaloneLayout' }) }\n`

/** The OpenAPI document and a page to read it; neither holds school data. */
export async function serveDocs(server: FastifyInstance, calls: readonly Call[]): Promise<void> {
  // Made when somebody first asks for it: describing every call takes a fifth of the work of a start.
  let document: ReturnType<typeof openapi> | undefined
  server.get('/api/openapi.json', () => (document ??= openapi(calls)))
  server.get('/api/docs/swagger-initializer.js', (_request, reply) => reply.type('text/javascript; charset=utf-8').send(start_script))
  server.get('/api/docs', (_request, reply) => reply.redirect('/api/docs/index.html'))
  await server.register(fastifyStatic, { root: getAbsoluteFSPath(), prefix: '/api/docs/', index: false, decorateReply: false, wildcard: true })
}
