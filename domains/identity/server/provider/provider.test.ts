import type { TestUser } from '@apps/server/testing'
import { provider_kept_secret, providerApi, providerLoginApi } from '@campus/identity/contract'
import type { ProviderAdapter, ProviderRow } from '@campus/identity/contract'
import { loadConfig } from '@kit/server/config'
import { openText } from '@kit/server/secrets'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { at, makePerson } from '../testing/person.ts'
import { said } from '../testing/role-desk.ts'
import { dataOf } from '../testing/wire.ts'
import { issueTicket } from '../ticket.queries.ts'
import { usableAdapters } from './adapters.ts'
import { secretPurpose } from './line.queries.ts'
import { openProviderDesk, school_id } from '../testing/provider-desk.ts'
import type { ProviderDesk } from '../testing/provider-desk.ts'

const secret = 'CanarySecret-91ab'
const draft = { enabled: false, label: '企业微信', icon: 'wecom' as const, match_by: 'user_no' as const, settings: { corp_id: 'ww1', agent_id: '1000002' }, secret }
const key = { shape: 'A' as const, adapter: 'wecom' as const }
let desk: ProviderDesk
let admin: TestUser

beforeAll(async () => {
  desk = await openProviderDesk({ settings: { CAMPUS_PUBLIC_URL: 'https://campus.example.cn', CAMPUS_OUTSIDE_HOSTS: 'sso.example.cn' } })
  admin = await desk.app.as({ school_id, codes: 'all' })
})
afterAll(() => desk.app.close())

const proof = async ({ user_id }: TestUser = admin) => (await desk.inSchool(db => issueTicket(db, { purpose: 'recheck', user_id }, desk.app.clock.now()))).token
const create = async (more: object = {}) => desk.app.call(providerApi.create, { ...key, ...draft, recheck_token: await proof(), ...more }, { token: admin.token })
const update = async (row_version: number, more: object = {}) => desk.app.call(providerApi.update, { ...key, ...draft, row_version, recheck_token: await proof(), ...more }, { token: admin.token })
const list = async (): Promise<ProviderRow[]> => dataOf(providerApi.list, await desk.app.call(providerApi.list, {}, { token: admin.token })).list
const stored = () => desk.inSchool(db => db.selectFrom('login_provider').select(['secret_enc', 'row_version']).where('adapter', '=', 'wecom').executeTakeFirstOrThrow())

test('whoever hands out no roles sets no way in that trusts a number or a mobile', async () => {
  const clerk = await desk.app.as({ school_id, codes: ['school.provider.edit'] })
  expect(said(await desk.app.call(providerApi.create, { ...key, ...draft }, { token: clerk.token }))).toEqual([422, '按工号或手机号匹配须由角色管理员设置，请改选“仅手工绑定”，或联系角色管理员'])
})

describe('settings', () => {
  test('a secret is sealed, answered as ●●●● and kept when that comes back; a half-finished line can be kept but not turned on', async () => {
    const made = dataOf(providerApi.create, await create())
    expect([made.secret, made.enabled, made.problem, made.callback]).toEqual([provider_kept_secret, false, null, `https://campus.example.cn/${school_id}?auto_login=1`])
    const opened = async () => openText(desk.app.running.app.secrets.data_key, secretPurpose(school_id, key), (await stored()).secret_enc ?? Buffer.alloc(0))
    expect(await opened()).toBe(secret)
    expect((await update(1, { enabled: true, secret: provider_kept_secret })).status).toBe(200)
    expect(await opened()).toBe(secret)
    expect(said(await update(2, { enabled: true, secret: '' }))).toEqual([422, '请填写应用Secret'])
    expect((await update(2, { enabled: true, settings: { corp_id: 'ww1', agent_id: 'abc' } })).body.data).toEqual({ errors: [{ field: 'settings.agent_id', msg: 'AgentId为纯数字' }] })
    expect(said(await update(1))).toEqual([409, '数据已被他人修改，请刷新后重试'])
    expect(said(await create())).toEqual([409, '该登录方式已添加'])
    expect(JSON.stringify(await list())).not.toContain(secret)
  })

  test('adding one or changing what people come in by asks for the own password, on and off alone does not', async () => {
    const [line] = await list()
    const { row_version = 0 } = line ?? {}
    const needed = [422, '请重新输入登录密码后再试']
    const kept = { secret: provider_kept_secret, recheck_token: undefined }
    expect(said(await create({ shape: 'B', recheck_token: undefined }))).toEqual(needed)
    expect(said(await update(row_version, { ...kept, match_by: 'external_bind' }))).toEqual(needed)
    expect(said(await update(row_version, { ...kept, settings: { corp_id: 'ww2', agent_id: '1000002' } }))).toEqual(needed)
    expect(said(await update(row_version, { ...kept, secret: 'another-secret' }))).toEqual(needed)
    const [foreign, spent] = [await proof(await desk.app.as({ school_id, codes: [] })), await proof()]
    expect(said(await update(row_version, { ...kept, label: '微信', recheck_token: foreign }))).toEqual(needed)
    expect((await update(row_version, { ...kept, label: '微信', recheck_token: spent })).status).toBe(200)
    expect(said(await update(row_version + 1, { ...kept, recheck_token: spent }))).toEqual(needed)
    expect((await update(row_version + 1, { ...kept, label: '微信', enabled: !line?.enabled })).status).toBe(200)
  })

  test.each<[string, object, string]>([
    ['an adapter in a shape it cannot have', { shape: 'D' }, '该登录方式在当前环境不可用'],
    ['an issuer on a host nobody named', { shape: 'C', adapter: 'oidc', enabled: true, settings: { issuer: 'https://10.0.0.1', client_id: 'c' } }, '认证服务所在主机未放行，请联系平台管理员（CAMPUS_OUTSIDE_HOSTS）'],
  ])('%s is refused', async (_name, more, sentence) => {
    expect(said(await create(more))).toEqual([422, sentence])
  })

  test('an issuer on a named host can be turned on', async () => {
    const made = dataOf(providerApi.create, await create({ shape: 'C', adapter: 'oidc', enabled: true, settings: { issuer: 'https://sso.example.cn/realms/a', client_id: 'c' } }))
    expect([made.enabled, made.settings.scope, made.settings.user_no_claim]).toEqual([true, 'openid profile', 'preferred_username'])
  })

  test('another school sees none of it and changes none of it', async () => {
    const other = await desk.app.as({ school_id: 1002, codes: 'all' })
    expect(dataOf(providerApi.list, await desk.app.call(providerApi.list, {}, { token: other.token })).list).toEqual([])
    const { row_version } = await stored()
    expect((await desk.app.call(providerApi.remove, { ...key, row_version }, { token: other.token })).status).toBe(404)
  })

  test('the log names what was set and never the secret', async () => {
    const { rows } = await desk.inSchool(db => sql<{ line: unknown }>`select to_jsonb(l) as line from operation_log l where call like 'identity.provider.%'`.execute(db))
    expect(JSON.stringify(rows)).toContain('secret_changed')
    expect(JSON.stringify(rows)).not.toContain(secret)
  })
})

describe('who is bound', () => {
  const bind = (user_id: string, provider: ProviderAdapter) => desk.inSchool(db => db.insertInto('external_bind').values({ school_id, provider, external_id: `ww1|zhang.san-${user_id}`, user_id, bound_by: user_id }).execute())
  const bound = async () => dataOf(providerApi.bound, await desk.app.call(providerApi.bound, { adapter: 'wecom' }, { token: admin.token }))

  test('the administrator reads name and number, of the outside account its end, and takes it away', async () => {
    const person = await makePerson(desk.app, { roles: [{ school_id }] })
    await bind(person.user_id, 'wecom')
    const { list: rows, total } = await bound()
    expect([total, at(rows).user_no, at(rows).external_tail, at(rows).bound_by_name]).toEqual([1, person.user_no, `***${`ww1|zhang.san-${person.user_id}`.slice(-4)}`, null])
    expect((await list()).find(row => row.adapter === 'wecom')?.bound).toBe(1)
    const unbind = () => desk.app.call(providerApi.unbind, { adapter: 'wecom', user_id: person.user_id }, { token: admin.token })
    expect((await unbind()).status).toBe(200)
    expect((await unbind()).status).toBe(404)
    expect((await bound()).total).toBe(0)
  })

  test('removing the last line of an adapter removes what was bound to it', async () => {
    const person = await makePerson(desk.app, { roles: [{ school_id }] })
    await bind(person.user_id, 'wecom')
    const { row_version } = await stored()
    const answer = await desk.app.call(providerApi.remove, { ...key, row_version }, { token: admin.token })
    expect(dataOf(providerApi.remove, answer).unbound).toBe(1)
    expect((await bound()).total).toBe(0)
  })
})

test('a test that cannot even begin says why', async () => {
  await create({ shape: 'B', settings: { corp_id: '', agent_id: '' }, secret: '' })
  const begun = dataOf(providerApi.test, await desk.app.call(providerApi.test, { shape: 'B', adapter: 'wecom' }, { token: admin.token }))
  expect(begun).toMatchObject({ url: null, is_over: true, steps: [{ name: '检查设置', ok: false, detail: '请填写企业ID' }] })
})

test.each([
  ['test', '', '127.0.0.1', true],
  ['dev', 'demo', '127.0.0.1', true],
  ['dev', 'demo', '0.0.0.0', false],
  ['dev', '', '127.0.0.1', false],
  ['pre', '', '127.0.0.1', false],
  ['prod', '', '127.0.0.1', false],
] as const)('the test provider in %s with profile %j on %s: %s', (CAMPUS_ENV, CAMPUS_PROFILE, CAMPUS_HOST, is_there) => {
  expect(usableAdapters({ config: loadConfig({ CAMPUS_ENV, CAMPUS_PROFILE, CAMPUS_HOST }) }).includes('test')).toBe(is_there)
})

test.each(['CAMPUS_WECOM_URL', 'CAMPUS_WEIXIAO_URL'])('production refuses %s: there the address is fixed', name => {
  expect(() => loadConfig({ CAMPUS_ENV: 'prod', [name]: 'http://127.0.0.1:1' })).toThrow(name)
})

test('whoever is signed in sees and removes his own binds alone', async () => {
  await desk.inSchool(db => db.insertInto('external_bind').values({ school_id, provider: 'oidc', external_id: 'i|own', user_id: admin.user_id }).execute())
  const mine = async () => dataOf(providerLoginApi.mine, await desk.app.call(providerLoginApi.mine, {}, { token: admin.token })).list.map(one => one.adapter)
  expect(await mine()).toEqual(['oidc'])
  expect((await desk.app.call(providerLoginApi.unbind, { adapter: 'wecom' }, { token: admin.token })).status).toBe(404)
  expect((await desk.app.call(providerLoginApi.unbind, { adapter: 'oidc' }, { token: admin.token })).status).toBe(200)
  expect(await mine()).toEqual([])
})
