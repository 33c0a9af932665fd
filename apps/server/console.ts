import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import { commonErrors } from '@kit/contract'
import type { Config } from '@kit/server/config'
import type { FastifyInstance } from 'fastify'
import { demoStrip } from './demo/accounts.ts'

const dist = join(import.meta.dirname, '../console/dist')
const api_prefix = /^\/(web|core|leave|material|api|iot|pay|admin-api)(\/|$)/
const settings_block = /(<script type="application\/json" id="campus-settings">)[\s\S]*?(<\/script>)/

/** Serves the built console; every address that is no call and no file answers its index page with the public settings. */
export async function serveConsole(http: FastifyInstance, config: Config): Promise<void> {
  if (!existsSync(join(dist, 'index.html'))) return
  await http.register(fastifyStatic, { root: dist, wildcard: true, index: false, immutable: true, maxAge: '365d', decorateReply: false })
  const template = await readFile(join(dist, 'index.html'), 'utf8')
  const page = async () => template.replace(settings_block, (_all, open: string, close: string) => `${open}${JSON.stringify(settings()).replaceAll('<', '\\u003c')}${close}`)
  const settings = () => ({
    env: config.CAMPUS_ENV,
    profile: config.CAMPUS_PROFILE,
    filing_notice: config.CAMPUS_FILING_NOTICE,
    ...(config.demo ? { demo_accounts: demoStrip() } : {}),
  })
  http.get('/', async (_request, reply) => reply.header('cache-control', 'no-cache').type('text/html; charset=utf-8').send(await page()))
  http.setNotFoundHandler(async (request, reply) => {
    const is_page = request.method === 'GET' && !api_prefix.test(request.url) && !/\.\w+$/.test(request.url.split('?')[0] ?? '')
    if (is_page) return reply.code(200).header('cache-control', 'no-cache').type('text/html; charset=utf-8').send(await page())
    const { id, status, code, msg } = commonErrors.notFound
    return reply.code(status).header('cache-control', 'no-store').send({ code, msg, data: null, error_id: id })
  })
}
