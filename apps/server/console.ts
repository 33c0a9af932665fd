import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { Config } from '@kit/server/config'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { demoStrip } from './demo/accounts.ts'

const dist = join(import.meta.dirname, '../console/dist')
const api_prefix = /^\/(web|core|leave|material|api|iot|pay|admin-api|metrics|livez|readyz)(\/|$)/
const settings_block = /(<script type="application\/json" id="campus-settings">)[\s\S]*?(<\/script>)/

/** Answers the console's index page with the public settings, for every address that is a page; null when it is none or nothing is built. */
export type ConsolePages = { files: string | null; answer(request: FastifyRequest, reply: FastifyReply): FastifyReply | null }

/** Reads the built console. */
export async function openConsole(config: Config): Promise<ConsolePages> {
  if (!existsSync(join(dist, 'index.html'))) return { files: null, answer: () => null }
  const template = await readFile(join(dist, 'index.html'), 'utf8')
  const answer = (request: FastifyRequest, reply: FastifyReply) => {
    if (!isPage(request)) return null
    const block = JSON.stringify(publicSettings(config)).replaceAll('<', '\\u003c')
    const text = template.replace(settings_block, (_all, open: string, close: string) => `${open}${block}${close}`)
    return reply.code(200).header('cache-control', 'no-cache').type('text/html; charset=utf-8').send(text)
  }
  return { files: dist, answer }
}

/** Serves the console's hashed files. */
export async function serveFiles(http: FastifyInstance, pages: ConsolePages): Promise<void> {
  if (pages.files === null) return
  await http.register(fastifyStatic, { root: join(pages.files, 'assets'), prefix: '/assets/', index: false, immutable: true, maxAge: '365d', decorateReply: false })
}

function isPage(request: FastifyRequest): boolean {
  const path = request.url.split('?')[0] ?? ''
  return (request.method === 'GET' || request.method === 'HEAD') && !api_prefix.test(path) && !/\.\w+$/.test(path)
}

function publicSettings(config: Config): Record<string, unknown> {
  const { CAMPUS_ENV: env, CAMPUS_PROFILE: profile, CAMPUS_FILING_NOTICE: filing_notice } = config
  return { env, profile, filing_notice, ...(config.demo ? { demo_accounts: demoStrip(config) } : {}) }
}
