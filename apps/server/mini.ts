import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import { helpTarget, subAppManifestPort } from '@campus/identity/server'
import { subApps } from '@campus/school/contract'
import { subAppSetting } from '@campus/school/server'
import { ownSocket } from '@kit/server/http'
import type { App, Boot, Fallback } from '@kit/server/http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { manifests } from '@apps/mini/manifest'

const dist = join(import.meta.dirname, '../mini/dist')
const board_dist = join(import.meta.dirname, '../board/dist')
const help_dist = join(import.meta.dirname, '../console/app/help/page/dist')
const document_block = /(<script type="application\/json" id="mini-document">)[\s\S]*?(<\/script>)/

/** What every page outside the console may load: nothing but our own. */
const own_policy = {
  'default-src': `'self'`, 'script-src': `'self'`, 'style-src': `'self'`, 'img-src': `'self' data: blob:`, 'media-src': `'self' data: blob:`, 'frame-src': `'none'`,
  'object-src': `'none'`, 'base-uri': `'none'`, 'form-action': `'self'`, 'frame-ancestors': `'self'`,
}

type Page = (visit: Visit) => Promise<FastifyReply>
type Visit = { request: FastifyRequest; reply: FastifyReply; path: string; query: URLSearchParams }

/** The pages of sub-applications, of the help and of the player of boards; null for every other address, and where they are not built. They ask the database without a session: one address gets so many a minute. */
export type MiniPages = { answer(...visit: Parameters<Fallback>): Promise<FastifyReply> | null; serve(http: FastifyInstance): Promise<void> }

/** Tells identity which calls each sub-application may make (chapter 80 M4). */
export function composeSubApps(app: App): void {
  for (const { code, calls, pages, features } of manifests) subAppManifestPort.fill(app, { code, pages, features, calls: Object.values(calls).map(({ call }) => call) })
}

/** Reads the built pages of the sub-applications, of the help and of the player. */
export async function openMini(boot: Boot): Promise<MiniPages> {
  const [mini, help, board] = await Promise.all([readIndex(dist), readIndex(help_dist), readIndex(board_dist)])
  const answer: MiniPages['answer'] = (request, reply, wait) => {
    const [path = '', text = ''] = request.url.split('?')
    const visit = { request, reply, path, query: new URLSearchParams(text) }
    if (request.method !== 'GET' && request.method !== 'HEAD') return null
    const page = pageOf(path)
    return page && unlessTooFast(visit, wait(), page)
  }
  const pageOf = (path: string): Page | null => {
    if (mini !== null && /^\/mini\/[a-z-]+\/?(\d{1,9}\/?)?$/.test(path)) return visit => answerMini(boot, visit, mini)
    if (help !== null && /^\/help\/?$/.test(path)) return ({ reply }) => answerPage(reply, help, {})
    if (board !== null && path === '/board/') return ({ reply }) => answerPage(reply, board, {})
    return path === '/help/frame' ? visit => answerFrame(boot, visit) : null
  }
  const serve = async (http: FastifyInstance) => {
    await serveAssets(http, dist, '/mini/assets/', 'same-origin')
    await serveAssets(http, board_dist, '/board/assets/', 'same-origin')
    await serveWorker(http)
    // The help stands in a sandbox without an origin: nothing is of the same one.
    await serveAssets(http, help_dist, '/help/assets/', 'cross-origin')
  }
  return { answer, serve }
}

function unlessTooFast(visit: Visit, wait_s: number, page: Page): Promise<FastifyReply> {
  if (wait_s === 0) return page(visit)
  return answerPage(visit.reply.code(429).header('retry-after', wait_s), barePage('访问过于频繁', '请求过于频繁，请稍后再试'), {})
}

/** A page of one sentence, where none of the built ones fits. */
function barePage(title: string, sentence: string): string {
  return `<!doctype html><html lang="zh-CN"><meta charset="utf-8"><title>${title}</title><p>${sentence}</p>`
}

async function serveAssets(http: FastifyInstance, folder: string, prefix: string, policy: 'same-origin' | 'cross-origin'): Promise<void> {
  const root = join(folder, 'assets')
  if (!existsSync(root)) return
  const setHeaders = (reply: FastifyReply) => void reply.header('cross-origin-resource-policy', policy)
  await http.register(fastifyStatic, { root, prefix, index: false, immutable: true, maxAge: '365d', decorateReply: false, setHeaders })
}

/** The program that keeps the player for a start without the server stands beside its page: it may then answer for all of it. */
async function serveWorker(http: FastifyInstance): Promise<void> {
  const file = join(board_dist, 'sw.js')
  if (!existsSync(file)) return
  const text = await readFile(file, 'utf8')
  http.get('/board/sw.js', (_request, reply) => reply.header('cache-control', 'no-cache').type('text/javascript; charset=utf-8').send(text))
}

async function readIndex(folder: string): Promise<string | null> {
  const file = join(folder, 'index.html')
  return existsSync(file) ? readFile(file, 'utf8') : null
}

/** The school of the address decides who may frame the page, and the page then takes no session of another school (chapter 80 M9). */
async function answerMini(boot: Boot, { reply, path, query }: Visit, template: string): Promise<FastifyReply> {
  const [, , folder = '', in_path = ''] = path.split('/')
  const named = in_path || query.get('school_id') || ''
  const school_id = /^\d{1,9}$/.test(named) ? Number(named) : null
  const fact = subApps.find(app => app.folder === folder && (!('module' in app) || app.code === query.get('module')))
  const origins = fact && school_id !== null ? await frameOrigins(boot, school_id, fact.code) : []
  const block = JSON.stringify({ app: fact?.code ?? null, title: fact?.title ?? null, school_id }).replaceAll('<', '\\u003c')
  const text = template.replace(document_block, (_all, open: string, close: string) => `${open}${block}${close}`)
  void reply.header('permissions-policy', 'camera=(self), microphone=(self), geolocation=(self)').header('cross-origin-opener-policy', 'same-origin-allow-popups')
  return answerPage(reply, text, { 'frame-ancestors': [`'self'`, ...origins].join(' ') })
}

async function frameOrigins({ app, database }: Boot, school_id: number, code: string): Promise<readonly string[]> {
  const setting = await database.tenant<unknown, Awaited<ReturnType<typeof subAppSetting>>>(school_id, db => subAppSetting({ app }, db, school_id, code), { read_only: true })
  return setting.frame_origins.filter(origin => /^https?:\/\/[\w.:-]+$/.test(origin))
}

/** Frames the help of the school's provider; only its own address may be loaded, whatever it redirects to. */
async function answerFrame(boot: Boot, { reply, query }: Visit): Promise<FastifyReply> {
  const target = await helpTarget(boot, query.get('userId') ?? '')
  if (!target) return answerPage(reply.code(404), barePage('AI 助手', 'AI 助手已关闭或链接已失效，请关闭后重新打开'), {})
  const address = target.href.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
  const text = `<!doctype html><html lang="zh-CN"><head><meta charset="utf-8"><meta name="referrer" content="no-referrer"><title>AI 助手</title><link rel="stylesheet" href="/help/assets/frame-v1.css"></head><body><iframe title="AI 助手" src="${address}" sandbox="allow-scripts allow-same-origin allow-forms allow-popups" referrerpolicy="no-referrer"></iframe></body></html>`
  return answerPage(reply, text, { 'frame-src': target.origin })
}

async function answerPage(reply: FastifyReply, text: string, changed: Partial<typeof own_policy>): Promise<FastifyReply> {
  const policy = Object.entries({ ...own_policy, 'connect-src': `'self' ${ownSocket(reply.request.raw)}`, ...changed }).map(([name, sources]) => `${name} ${sources}`).join(';')
  // Which sites may frame the page is said by the policy; the older header knows no list.
  return reply.removeHeader('x-frame-options').removeHeader('origin-agent-cluster').header('content-security-policy', policy).header('cache-control', 'no-store').type('text/html; charset=utf-8').send(text)
}
