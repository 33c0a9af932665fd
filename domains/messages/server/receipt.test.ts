import { createHash, createHmac } from 'node:crypto'
import { receiptApi, receiptPath } from '@campus/messages/contract'
import type { ReceiptAdapter } from '@campus/messages/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { test_schools } from '@apps/server/testing'
import { openDesk } from './testing/desk.ts'
import type { MessageDesk } from './testing/desk.ts'
import { startSms } from './testing/providers.ts'
import type { SmsProvider } from './testing/providers.ts'
import { startJpush, startWeixin } from './testing/wechat.ts'
import type { Provider } from './testing/wechat.ts'

const [chat, sms_channel, app_channel] = [2, 3, 5]
let desk: MessageDesk
let weixin: Provider
let jpush: Provider
let sms: SmsProvider
let made = 0

beforeAll(async () => {
  ;[desk, weixin, jpush, sms] = await Promise.all([openDesk([2, 3, 5]), startWeixin(), startJpush(), startSms()])
})
afterAll(() => Promise.all([desk.app.close(), weixin.close(), jpush.close(), sms.close()]))
beforeEach(async () => {
  weixin.first = undefined
  await desk.setChannel(chat, { adapter: 'weixin_mp', settings: { url: weixin.url, app_id: 'wx1', template_id: 'TPL1' }, secret: 'app-secret', receipt_secret: 'wx-token' })
  await desk.setChannel(sms_channel, { adapter: 'sms_http', settings: { url: sms.url, body: '{"to":"{mobile}"}', id_field: 'code', receipt_id: 'biz.id', receipt_state: 'state', receipt_ok: 'DELIVRD' }, secret: 'k', receipt_secret: 'sms-key' })
})

const follower = () => desk.person({ bound: ['weixin_mp', `wx1|o${(made += 1)}`], mobile: `138${String(made).padStart(8, '0')}` })
/** Sends one by 微信; answers its number here and there. */
async function sentByWeixin(): Promise<{ message_id: string; msgid: string }> {
  const message_id = await desk.ring({ to: [await follower()] })
  await desk.settled(message_id, ['2 submitted - 1'])
  return { message_id, msgid: String(2_000_000 + weixin.heard.length) }
}
const event = (msgid: string, status: string) => `<xml><ToUserName><![CDATA[gh_1]]></ToUserName><FromUserName><![CDATA[oAnna]]></FromUserName><CreateTime>1700000000</CreateTime><MsgType><![CDATA[event]]></MsgType><Event><![CDATA[TEMPLATESENDJOBFINISH]]></Event><MsgID>${msgid}</MsgID><Status><![CDATA[${status}]]></Status></xml>`
const signed = (token: string) => {
  const [timestamp, nonce] = ['1700000000', 'n1']
  return { timestamp, nonce, signature: createHash('sha1').update([token, timestamp, nonce].toSorted().join('')).digest('hex') }
}
const tell = (adapter: ReceiptAdapter, letter: string, { at = desk.school_id, query = {}, headers = {} }: { at?: number; query?: object; headers?: Record<string, string> } = {}) =>
  desk.app.call(receiptApi.take, { adapter, school_id: at, ...query }, { letter, headers })
const byWeixin = (msgid: string, status: string, token = 'wx-token') => tell('weixin_mp', event(msgid, status), { query: signed(token), headers: { 'content-type': 'text/xml' } })
const figures = async () => [...(await (await fetch(`${desk.app.url}/metrics`)).text()).matchAll(/campus_message_receipts\{adapter="weixin_mp",outcome="(\w+)"\} (\d+)/g)].map(([, outcome, n]) => `${outcome} ${n}`)
const events = async (message_id: string) =>
  (await desk.app.running.database.tenant(desk.school_id, db => sql<{ state: string }>`select state from message_delivery where school_id = ${desk.school_id} and message_id = ${message_id} and channel > 1`.execute(db))).rows.map(({ state }) => state)

it('10-M4 已送达 comes by the receipt of the provider alone; told again it changes nothing', async () => {
  const { message_id, msgid } = await sentByWeixin()
  const answer = await byWeixin(msgid, 'success')
  expect([answer.status, new TextDecoder().decode(answer.bytes)]).toEqual([200, 'success'])
  expect(await desk.outside(message_id)).toEqual(['2 delivered - 1'])
  expect((await byWeixin(msgid, 'failed: system failed')).status).toBe(200)
  expect(await desk.outside(message_id)).toEqual(['2 delivered - 1'])
})

it('a receipt of a failure says why, and the next channel is tried', async () => {
  const blocked = await sentByWeixin()
  expect((await byWeixin(blocked.msgid, 'failed:user block')).status).toBe(200)
  await desk.settled(blocked.message_id, ['2 failed 3 1', '3 submitted - 1'])
  const broken = await sentByWeixin()
  await byWeixin(broken.msgid, 'failed: system failed')
  await desk.settled(broken.message_id, ['2 failed 4 1', '3 submitted - 1'])
})

it('twenty of the same at once settle one delivery, once', async () => {
  const { message_id, msgid } = await sentByWeixin()
  const answers = await Promise.all(Array.from({ length: 20 }, () => byWeixin(msgid, 'failed:user block')))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  await desk.settled(message_id, ['2 failed 3 1', '3 submitted - 1'])
  expect((await events(message_id)).length).toBe(2)
})

it('a number that nobody knows is taken with 200 and counted, and so is another event', async () => {
  const before = await figures()
  expect((await byWeixin('777', 'success')).status).toBe(200)
  const subscribed = '<xml><MsgType><![CDATA[event]]></MsgType><Event><![CDATA[subscribe]]></Event></xml>'
  expect((await tell('weixin_mp', subscribed, { query: signed('wx-token') })).status).toBe(200)
  const unknown = (lines: string[]) => Number(lines.find(line => line.startsWith('unknown'))?.split(' ')[1])
  expect(unknown(await figures()) - unknown(before)).toBe(1)
})

it('a receipt that is quicker than the answer to its message is not lost', async () => {
  weixin.first = async () => void (await byWeixin(String(2_000_000 + weixin.heard.length), 'success'))
  const message_id = await desk.ring({ to: [await follower()] })
  await desk.settled(message_id, ['2 delivered - 1'])
})

it('a wrong signature, another school, a channel without a receipt secret: 401, and nothing changes', async () => {
  const { message_id, msgid } = await sentByWeixin()
  expect((await byWeixin(msgid, 'success', 'guess')).status).toBe(401)
  expect((await tell('weixin_mp', event(msgid, 'success'))).status).toBe(401)
  expect((await tell('weixin_mp', event(msgid, 'success'), { at: test_schools.b, query: signed('wx-token') })).status).toBe(401)
  expect((await tell('weixin_mp', event(msgid, 'success'), { at: 4_000_000, query: signed('') })).status).toBe(401)
  await desk.setChannel(chat, { receipt_secret: '' })
  expect((await byWeixin(msgid, 'success', '')).status).toBe(401)
  expect(await desk.outside(message_id)).toEqual(['2 submitted - 1'])
})

it("another school's receipt, rightly signed by its own provider, settles nothing here", async () => {
  const { message_id, msgid } = await sentByWeixin()
  const { b } = test_schools
  const theirs = await desk.admin(b)
  const answer = await desk.saveChannel(chat, { adapter: 'weixin_mp', settings: { url: weixin.url, app_id: 'wx2', template_id: 'T' }, secret: 's', receipt_secret: 'theirs' }, theirs)
  expect(answer.status).toBe(200)
  expect((await tell('weixin_mp', event(msgid, 'success'), { at: b, query: signed('theirs') })).status).toBe(200)
  expect(await desk.outside(message_id)).toEqual(['2 submitted - 1'])
})

it('a gateway for short messages tells of several at once, signed over the bytes of its letter', async () => {
  const message_id = await desk.ring({ to: [{ mobile: '13700000001', name: '访客' }] })
  await desk.settled(message_id, ['3 submitted - 1'])
  const letter = JSON.stringify([{ biz: { id: 'elsewhere' }, state: 'X' }, { biz: { id: 'OK' }, state: 'DELIVRD' }])
  const sign = (text: string) => ({ 'x-signature': createHmac('sha256', 'sms-key').update(text).digest('hex') })
  expect((await tell('sms_http', letter, { headers: sign(`${letter} `) })).status).toBe(401)
  expect((await tell('sms_http', letter, { headers: sign(letter) })).status).toBe(200)
  expect(await desk.outside(message_id)).toEqual(['3 delivered - 1'])
})

it('the app push tells by the key of the app and the receipt secret', async () => {
  await desk.setChannel(chat, { enabled: false })
  await desk.setChannel(sms_channel, { enabled: false })
  await desk.setChannel(app_channel, { adapter: 'app_push', settings: { url: `${jpush.url}/v3/push`, app_key: 'key1' }, secret: 'master', receipt_secret: 'told' })
  const message_id = await desk.ring({ to: [await desk.person()] })
  await desk.settled(message_id, ['2 skipped 5 0', '3 skipped 5 0', '5 submitted - 1'])
  const letter = JSON.stringify([{ type: 2, msgid: `5800${jpush.heard.length}` }, { type: 4, msgid: `5800${jpush.heard.length}` }])
  const headers = (secret: string) => ({ authorization: `Basic ${Buffer.from(`key1:${secret}`).toString('base64')}` })
  expect((await tell('app_push', letter, { headers: headers('master') })).status).toBe(401)
  expect((await tell('app_push', letter, { headers: headers('told') })).status).toBe(200)
  expect(await desk.outside(message_id)).toEqual(['2 skipped 5 0', '3 skipped 5 0', '5 delivered - 1'])
  await desk.setChannel(chat, { enabled: true })
  await desk.setChannel(sms_channel, { enabled: true })
})

it('the address for the provider leads to the call', () => {
  expect(receiptPath('weixin_mp', 7)).toBe('/web/message/receipt/weixin_mp?school_id=7')
})
