import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isNearAddress, reader_port } from '@campus/devices/contract'
import fastifyStatic from '@fastify/static'
import type { Build, Config } from '@kit/server/config'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { demoProviders, demoStrip } from './demo/accounts.ts'

const dist = join(import.meta.dirname, '../console/dist')
const api_prefix = /^\/(web|core|leave|material|api|iot|pay|admin-api|metrics|livez|readyz)(\/|$)/
const nonce_bytes = 16
const [first_free_port, last_port] = [1024, 65_535]
const settings_block = /(<script type="application\/json" id="campus-settings">)[\s\S]*?(<\/script>)/

/** Answers the console's index page with the public settings, for every address that is a page; null when it is none or nothing is built. */
export type ConsolePages = { files: string | null; answer(request: FastifyRequest, reply: FastifyReply): FastifyReply | null }

/** Reads the built console. */
export async function openConsole(config: Config, build: Build): Promise<ConsolePages> {
  if (!existsSync(join(dist, 'index.html'))) return { files: null, answer: () => null }
  const template = await readFile(join(dist, 'index.html'), 'utf8')
  const settings = publicSettings(config, build)
  const answer = (request: FastifyRequest, reply: FastifyReply) => {
    if (!isPage(request)) return null
    const style_nonce = randomBytes(nonce_bytes).toString('base64')
    const block = JSON.stringify({ ...settings, style_nonce }).replaceAll('<', '\\u003c')
    const text = template.replace(settings_block, (_all, open: string, close: string) => `${open}${block}${close}`)
    allowStyles(reply, style_nonce)
    allowReaders(reply, request.cookies['campus_reader'])
    return reply.code(200).header('cache-control', 'no-cache').type('text/html; charset=utf-8').send(text)
  }
  return { files: dist, answer }
}

/** The console's components make their styles as they are first drawn; the page alone may, by a nonce of its own. */
function allowStyles(reply: FastifyReply, nonce: string): void {
  const policy = String(reply.getHeader('content-security-policy'))
  void reply.header('content-security-policy', policy.replace("style-src 'self'", `style-src 'self' 'nonce-${nonce}'`))
}

/**
 * The page may ask the card reader of its own workstation, and one other that this browser has chosen (docs/decisions/0027): at a near address and a port of no system service, or none. What a page sends there stays
 * in the network in which it is read.
 */
function allowReaders(reply: FastifyReply, chosen: string | undefined): void {
  const [, ip = '', port = ''] = /^([\d.]{7,15}):(\d{4,5})$/u.exec(chosen ?? '') ?? []
  const other = isNearAddress(ip) && Number(port) >= first_free_port && Number(port) <= last_port ? [`http://${ip}:${port}`] : []
  const policy = String(reply.getHeader('content-security-policy'))
  void reply.header('content-security-policy', policy.replace('connect-src', ['connect-src', `http://127.0.0.1:${reader_port}`, ...other].join(' ')))
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

/** What the page may know of the configuration: no secret, no address of the inside, and only what somebody has set. */
function publicSettings(config: Config, build: Build): Record<string, unknown> {
  const set = {
    ribbon: config.CAMPUS_ENV === 'pre' ? '预发布环境' : '',
    filing_notice: config.CAMPUS_FILING_NOTICE,
    brand_title: config.CAMPUS_BRAND_TITLE,
    brand_logo: config.CAMPUS_BRAND_LOGO,
    login_background: config.CAMPUS_LOGIN_BACKGROUND,
    sub_app_base: config.CAMPUS_SUB_APP_BASE,
    map_address: config.CAMPUS_MAP_ADDRESS,
  }
  const told = Object.entries(set).filter(([, value]) => value !== '')
  return { env: config.CAMPUS_ENV, profile: config.CAMPUS_PROFILE, ...build, ...Object.fromEntries(told), ...(config.demo ? { demo_accounts: demoStrip(config), demo_providers: demoProviders(config) } : {}) }
}
