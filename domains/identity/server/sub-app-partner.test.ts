import { startTestApp, test_schools } from '@apps/server/testing'
import type { TestApp, TestUser } from '@apps/server/testing'
import { aiHelpApi, PartnerView, subAppApi } from '@campus/identity/contract'
import { moduleApi } from '@campus/school/contract'
import type { SubAppDraft } from '@campus/school/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isSigned, partnerProof, readLink } from './sub-app-link/link.ts'
import { dataOf } from './testing/wire.ts'

const { a: school_id, b } = test_schools
const secret = 'shared-with-the-partner'
const partner: SubAppDraft = { sub_app_url: 'https://partner.example.cn/app/?from=campus', token_url: null, sign_mode: 'md5', secret, frame_origins: [], entry_open: true }
let app: TestApp
let admin: TestUser

beforeAll(async () => {
  app = await startTestApp()
  admin = await app.as({ school_id, codes: ['school.nav.edit'] })
})
afterAll(() => app.close())

const token = () => ({ token: admin.token })
const linkOf = (code: 'repair' | 'hall' | 'dorm') => app.call(subAppApi.link, { code }, token())
const verify = (query: string, credential?: string) => app.call(subAppApi.verify, { query }, credential === undefined ? {} : { token: credential })

async function setModule(module_code: string, enabled: boolean, sub_app: SubAppDraft): Promise<void> {
  const { nav_version, today } = dataOf(moduleApi.list, await app.call(moduleApi.list, {}, token()))
  const answer = await app.call(moduleApi.save, { nav_version, module_code, enabled, valid_from: today, valid_to: null, sub_app }, token())
  expect([answer.status, answer.body.msg]).toEqual([200, expect.any(String)])
}

test('80-A6 a code pointed at a partner opens there, signed by md5 with its secret; without the secret nobody learns anything', async () => {
  await setModule('repair', true, partner)
  const { url } = dataOf(subAppApi.link, await linkOf('repair'))
  expect(url).toMatch(/^https:\/\/partner\.example\.cn\/app\/\?from=campus&user_no=/)
  const query = url.slice(url.indexOf('?') + 1)
  const link = readLink(query)
  expect(link && isSigned(link, 'md5', secret)).toBe(true)
  const sign = link?.sign ?? ''
  for (const credential of [undefined, 'x', partnerProof(sign, 'guessed'), sign]) expect((await verify(query, credential)).status).toBe(401)
  const told = await verify(query, partnerProof(sign, secret))
  expect(PartnerView.strict().parse(told.body.data)).toEqual({ user_no: admin.user_no, school_id, app: 'repair', name: expect.stringMatching(/^测\*+$/), kind: 2 })
  expect(told.headers.getSetCookie()).toEqual([])
  expect((await verify(query, partnerProof(sign, secret))).status).toBe(401)
})

test('a module that is off gives no link, and a link made before opens nothing', async () => {
  const { url } = dataOf(subAppApi.link, await linkOf('dorm'))
  await setModule('dorm', false, { ...partner, sub_app_url: null, secret: null, sign_mode: 'hmac' })
  expect((await linkOf('dorm')).status).toBe(403)
  expect((await verify(url.slice(url.indexOf('?') + 1))).status).toBe(401)
})

test('80-A5 the page of a school may be framed by the origins that school named, and by no other', async () => {
  await setModule('hall', true, { ...partner, sub_app_url: null, secret: null, sign_mode: 'hmac', frame_origins: ['https://portal.example.cn'] })
  const ancestorsOf = async (path: string) => /frame-ancestors ([^;]+)/.exec((await fetch(`${app.url}${path}`)).headers.get('content-security-policy') ?? '')?.[1]
  expect(await ancestorsOf(`/mini/hall/${school_id}`)).toBe(`'self' https://portal.example.cn`)
  expect(await ancestorsOf(`/mini/hall/?school_id=${school_id}`)).toBe(`'self' https://portal.example.cn`)
  expect(await ancestorsOf(`/mini/hall/${b}`)).toBe(`'self'`)
  const answer = await fetch(`${app.url}/mini/hall/${school_id}`)
  expect([answer.headers.get('cache-control'), answer.headers.get('referrer-policy'), answer.headers.get('x-frame-options')]).toEqual(['no-store', 'no-referrer', null])
  expect(await answer.text()).toContain(`"school_id":${school_id}`)
})

test('the AI help is a page of ours; a provider is framed by it, for ten minutes, and learns an opaque token', async () => {
  const setHelp = (on: 0 | 1, url: string | null) =>
    app.running.database.tenant(school_id, db => sql`update school_config set open_ai_help = ${on}, ai_help_url = ${url} where school_id = ${school_id}`.execute(db))
  const ask = () => app.call(aiHelpApi.frame, {}, token())
  const frameSources = (answer: Response) => /frame-src ([^;]+)/.exec(answer.headers.get('content-security-policy') ?? '')?.[1]
  await setHelp(0, null)
  const off = await ask()
  expect([off.status, off.body.msg]).toEqual([409, 'AI 助手未开启，请联系管理员'])
  await setHelp(1, null)
  const own = dataOf(aiHelpApi.frame, await ask())
  expect([own.is_partner, own.url]).toEqual([false, expect.stringMatching(/^\/help\/\?userId=[\w-]{60,}$/)])
  await setHelp(1, 'https://ai.example.cn/chat?lang=zh')
  const { url } = dataOf(aiHelpApi.frame, await ask())
  const framed = await fetch(app.url + url)
  expect([framed.status, frameSources(framed)]).toEqual([200, 'https://ai.example.cn'])
  const text = await framed.text()
  expect(text).toContain('src="https://ai.example.cn/chat?lang=zh&amp;userId=')
  const sealed = Buffer.from(url.split('userId=')[1] ?? '', 'base64url').toString('latin1')
  expect(sealed).not.toMatch(/user_id|school_id/)
  expect((await fetch(app.url + url.replace('userId=', 'userId=A'))).status).toBe(404)
  app.clock.advance(601_000)
  const late = await fetch(app.url + url)
  expect([late.status, frameSources(late)]).toEqual([404, `'none'`])
})
