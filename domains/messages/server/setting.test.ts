import { createHash } from 'node:crypto'
import { dataOf, startTestApp, test_schools } from '@apps/server/testing'
import type { TestApp, TestUser } from '@apps/server/testing'
import { alertTemplates, channelApi, kept_secret, templateApi } from '@campus/messages/contract'
import type { ChannelRow, TemplateRow } from '@campus/messages/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { send } from './index.ts'
import { startMail } from './testing/providers.ts'
import type { MailServer } from './testing/providers.ts'

const { a: school_id, b: other_school } = test_schools
const { code } = alertTemplates.passwordChanged
const mail_channel = 4
let app: TestApp
let admin: TestUser
let mail: MailServer
beforeAll(async () => {
  ;[app, mail] = await Promise.all([startTestApp({ settings: { CAMPUS_LOG_LEVEL: 'fatal' } }), startMail('box@school.test', 'right')])
  admin = await app.as({ school_id, codes: ['messages.setting.edit'] })
})
afterAll(() => Promise.all([app.close(), mail.close()]))

const templates = async ({ token } = admin) => dataOf(templateApi.list, await app.call(templateApi.list, {}, { token })).list
async function template(patch: Partial<TemplateRow> = {}) {
  const row = (await templates()).find(one => one.code === code)
  if (!row) throw new Error('no such template')
  const { name: _name, source: _source, fields: _fields, field_names: _names, ...draft } = { ...row, ...patch }
  return draft
}
const save = async (patch: Partial<TemplateRow>) => app.call(templateApi.save, await template(patch), { token: admin.token })

describe('a template', () => {
  it('is the declared one until the school changes its words; then messages bear them, in this school alone', async () => {
    expect((await template()).row_version).toBe(0)
    expect((await save({ title: '密码变更提醒', body: '{who}于{at}修改了您的密码。' })).status).toBe(200)
    const stranger = await app.as({ school_id: other_school, codes: ['messages.setting.edit'] })
    expect((await templates(stranger)).find(one => one.code === code)?.title).toBe('您的登录密码已被修改')
    const { app: product, database } = app.running
    const message_id = await database.tenant<unknown, string>(school_id, db =>
      send({ app: product, db, school_id, now: app.clock.now() }, { template: alertTemplates.passwordChanged, source_ref: 'words', to: [{ user_id: admin.user_id }], values: { who: '本人', at: '08:00' }, level: 1 }))
    const { rows } = await database.tenant(school_id, db => sql`select title, body from message where school_id = ${school_id} and message_id = ${message_id}`.execute(db))
    expect(rows).toEqual([{ title: '密码变更提醒', body: '本人于08:00修改了您的密码。' }])
  })
  it.each([
    ['a field that is not declared', { body: '{password}' }, '没有名为{password}的字段'],
    ['words that do not fit', { body: '{who}'.repeat(31) }, '正文填满字段后超过300个字'],
  ])('refuses %s with 422', async (_what, patch, msg) => {
    const answer = await save(patch)
    expect([answer.status, answer.body.msg]).toEqual([422, msg])
  })
  it('of two who change it at once only the first wins', async () => {
    const draft = await template({ enabled: false })
    const answers = await Promise.all([1, 2, 3].map(() => app.call(templateApi.save, draft, { token: admin.token })))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
  })
})

async function channel(patch: Partial<ChannelRow>): Promise<ChannelRow> {
  const row = dataOf(channelApi.list, await app.call(channelApi.list, {}, { token: admin.token })).list.find(one => one.channel === mail_channel)
  if (!row) throw new Error('no such channel')
  return { ...row, ...patch }
}
const saveChannel = async (patch: Partial<ChannelRow>) => app.call(channelApi.save, await channel(patch), { token: admin.token })
async function proof(token: string): Promise<string> {
  const expire_at = new Date(app.clock.now().getTime() + 60_000)
  await app.running.database.tenant(school_id, db => sql`insert into ticket (ticket_hash, purpose, user_id, school_id, expire_at) values (${createHash('sha256').update(token).digest()}, 'recheck', ${admin.user_id}, ${school_id}, ${expire_at})`.execute(db))
  return token
}
const tryOut = async (recheck_token: string) => {
  const { status, body } = await app.call(channelApi.test, { channel: mail_channel, to: 'me@school.test', recheck_token }, { token: admin.token })
  return [status, body.msg]
}

describe('a channel', () => {
  const settings = () => ({ host: '127.0.0.1', port: mail.port, secure: false, user: 'box@school.test', from: 'box@school.test' })
  it('is tested only with the password just typed, once a proof', async () => {
    expect(await tryOut('nothing')).toEqual([422, '请重新输入登录密码后再试'])
    expect(await tryOut(await proof('first'))).toEqual([422, '该通道未配置，消息只会被记录，不会外发'])
    expect(await tryOut('first')).toEqual([422, '请重新输入登录密码后再试'])
  })
  it('says when the provider refuses, and sends one line when it does not', async () => {
    await saveChannel({ adapter: 'smtp', settings: settings(), secret: 'wrong' })
    expect(await tryOut(await proof('second'))).toEqual([422, '测试消息未能发出，请检查通道设置'])
    await saveChannel({ secret: 'right' })
    expect((await tryOut(await proof('third')))[0]).toBe(200)
    expect(mail.heard.map(({ to }) => to)).toEqual([['me@school.test']])
  })
  it('takes only what carries it, and no older version', async () => {
    expect((await saveChannel({ adapter: 'sms_http' })).body.msg).toBe('该通道不支持此发送方式')
    expect((await saveChannel({ row_version: 0 })).status).toBe(409)
    expect((await saveChannel({ quiet_from: '25:00' })).status).toBe(400)
  })
  it('keeps its secret sealed', async () => {
    const { rows } = await app.running.database.tenant(school_id, db => sql<{ kept: string }>`select message_channel::text || encode(secret_enc, 'escape') as kept from message_channel where school_id = ${school_id}`.execute(db))
    expect(rows.length).toBe(1)
    expect(rows[0]?.kept).not.toContain('right')
  })
  it('asks for a kept secret again when it would go elsewhere: another host, port, kind of provider, or without TLS', async () => {
    const moved = [
      { settings: { ...settings(), host: 'localhost' } },
      { settings: { ...settings(), port: 2525 } },
      { adapter: 'test' as const, settings: {} },
    ]
    for (const patch of moved) {
      const answer = await saveChannel({ secret: kept_secret, ...patch })
      expect([answer.status, answer.body.data]).toEqual([422, { errors: [{ field: 'secret', msg: '更换地址后请重新填写密钥' }] }])
    }
    expect((await channel({})).settings).toEqual(settings())
    const secure = await saveChannel({ secret: 'right', settings: { ...settings(), secure: true } })
    expect(secure.status).toBe(200)
    expect((await saveChannel({ secret: kept_secret, settings: settings() })).status).toBe(422)
  })
  it('keeps it where nothing moves, and takes the new one with a new address', async () => {
    expect((await saveChannel({ secret: 'right', settings: settings() })).status).toBe(200)
    expect((await saveChannel({ secret: kept_secret, day_limit: 77, settings: { ...settings(), from: 'other@school.test' } })).status).toBe(200)
    expect(await tryOut(await proof('kept'))).toEqual([200, '操作成功'])
    expect((await saveChannel({ secret: 'elsewhere', settings: { ...settings(), host: 'localhost' } })).status).toBe(200)
  })
  it('through recording alone it goes nowhere either: neither address nor kind can be changed under it', async () => {
    expect((await saveChannel({ adapter: 'log', secret: kept_secret, settings: {} })).status).toBe(200)
    expect((await saveChannel({ adapter: 'smtp', secret: kept_secret, settings: settings() })).status).toBe(422)
  })
})
