import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { openDesk } from '../testing/desk.ts'
import type { MessageDesk } from '../testing/desk.ts'
import { startJpush, startWecom, startWeixin } from '../testing/wechat.ts'
import type { Provider } from '../testing/wechat.ts'

const [chat, app_channel] = [2, 5]
const minute_ms = 60_000
let desk: MessageDesk
let wecom: Provider
let weixin: Provider
let jpush: Provider
let made = 0

beforeAll(async () => {
  ;[desk, wecom, weixin, jpush] = await Promise.all([openDesk([2, 5], { CAMPUS_PUBLIC_URL: 'https://campus.test' }), startWecom(), startWeixin(), startJpush()])
})
afterAll(() => Promise.all([desk.app.close(), wecom.close(), weixin.close(), jpush.close()]))
beforeEach(() => {
  desk.clockTo('12:00')
  for (const provider of [wecom, weixin, jpush]) Object.assign(provider, { refuses: 0 }).heard.length = 0
})

const onWecom = (settings: Record<string, string> = {}, secret = 'corp-secret') => desk.setChannel(chat, { adapter: 'wecom', settings: { url: wecom.url, corp_id: 'ww1', agent_id: '1000002', ...settings }, secret })
const onWeixin = (settings: Record<string, string> = {}, secret = 'app-secret') => desk.setChannel(chat, { adapter: 'weixin_mp', settings: { url: weixin.url, app_id: 'wx1', template_id: 'TPL1', ...settings }, secret })
const onJpush = (secret = 'master') => desk.setChannel(app_channel, { adapter: 'app_push', settings: { url: `${jpush.url}/v3/push`, app_key: 'key1' }, secret })
const offApp = () => desk.setChannel(app_channel, { adapter: 'log', settings: {}, secret: '' })
const staff = (account = `li.${(made += 1)}`) => desk.person({ bound: ['wecom', `ww1|${account}`] })
const follower = (openid = `o${(made += 1)}`) => desk.person({ bound: ['weixin_mp', `wx1|${openid}`] })

it('WeChat Work gets a card with the page, to the account that is bound, and it is submitted, never delivered', async () => {
  await onWecom()
  const message_id = await desk.ring({ to: [await staff('wang.li')], link: '/SchoolRecord' })
  await desk.settled(message_id, ['2 submitted - 1'])
  expect(wecom.heard.map(({ body }) => body)).toEqual([
    { touser: 'wang.li', agentid: 1000002, enable_duplicate_check: 0, msgtype: 'textcard', textcard: { title: '东门铃声', description: '东门将响铃。', url: 'https://campus.test/SchoolRecord', btntxt: '查看' } },
  ])
})

it('one token serves many messages at once, until it is over', async () => {
  await onWecom({ url: `${wecom.url}/` })
  const before = wecom.tokens
  const message_id = await desk.ring({ to: await Promise.all([staff(), staff(), staff()]) })
  await desk.settled(message_id, Array.from({ length: 3 }, () => '2 submitted - 1'))
  expect(wecom.tokens - before).toBe(1)
  desk.app.clock.advance(7200 * 1000)
  await desk.settled(await desk.ring({ to: [await staff()] }), ['2 submitted - 1'])
  expect(wecom.tokens - before).toBe(2)
})

it('a token that WeChat Work has forgotten is asked for anew once, and the message goes', async () => {
  await onWecom()
  await desk.settled(await desk.ring({ to: [await staff()] }), ['2 submitted - 1'])
  const before = wecom.tokens
  wecom.forget()
  await desk.settled(await desk.ring({ to: [await staff()] }), ['2 submitted - 1'])
  expect(wecom.tokens - before).toBe(1)
})

it('a token refused again is a refusal: two requests, then the next try a minute later', async () => {
  await onWecom()
  wecom.refuses = 40014
  const message_id = await desk.ring({ to: [await staff()] })
  await desk.settled(message_id, ['2 queued 4 1'])
  expect(wecom.heard.length).toBe(2)
  wecom.refuses = 0
  desk.app.clock.advance(minute_ms + 1000)
  await desk.settled(message_id, ['2 submitted - 2'])
})

it('a wrong secret sends nothing and is tried again; a mended one goes', async () => {
  await onWecom({}, 'wrong')
  const message_id = await desk.ring({ to: [await staff()] })
  await desk.settled(message_id, ['2 queued 4 1'])
  expect(wecom.heard).toEqual([])
  await onWecom()
  desk.app.clock.advance(minute_ms + 1000)
  await desk.settled(message_id, ['2 submitted - 2'])
})

it('who is not in the corporation is 未绑定 at once, and so is who has bound nothing or another corporation; the next channel is tried', async () => {
  await onWecom()
  await offApp()
  await desk.settled(await desk.ring({ to: [await staff('stranger')] }), ['2 failed 2 1', '5 logged - 0'])
  await desk.settled(await desk.ring({ to: [await desk.person()] }), ['2 skipped 2 0', '5 logged - 0'])
  await desk.settled(await desk.ring({ to: [await desk.person({ bound: ['wecom', 'ww2|elsewhere'] })] }), ['2 skipped 2 0', '5 logged - 0'])
  expect(wecom.heard.length).toBe(1)
})

it('an Official Account gets its template filled, shortened where a field takes 20 signs', async () => {
  await onWeixin()
  const message_id = await desk.ring({ to: [await follower('oAnna')], values: { place: '图书馆二层东侧自习区靠窗第三排座位' }, link: '/SchoolRecord' })
  await desk.settled(message_id, ['2 submitted - 1'])
  expect(weixin.heard.map(({ body }) => body)).toEqual([
    { touser: 'oAnna', template_id: 'TPL1', url: 'https://campus.test/SchoolRecord', data: { thing1: { value: '图书馆二层东侧自习区靠窗第三排座位铃声' }, thing2: { value: '图书馆二层东侧自习区靠窗第三排座位将响…' } } },
  ])
})

it('an Official Account: who does not follow is 未关注, who is unknown 未绑定, a wrong template 发送失败', async () => {
  await onWeixin()
  await offApp()
  await desk.settled(await desk.ring({ to: [await follower('no-follower')] }), ['2 failed 3 1', '5 logged - 0'])
  await desk.settled(await desk.ring({ to: [await follower('xyz')] }), ['2 failed 2 1', '5 logged - 0'])
  await onWeixin({ template_id: 'OTHER' })
  await desk.settled(await desk.ring({ to: [await follower()] }), ['2 queued 4 1'])
})

it('an Official Account: a token taken away by another server is asked for anew once; a wrong secret is no reason to ask again and again', async () => {
  await onWeixin()
  await desk.settled(await desk.ring({ to: [await follower()] }), ['2 submitted - 1'])
  weixin.forget()
  await desk.settled(await desk.ring({ to: [await follower()] }), ['2 submitted - 1'])
  await onWeixin({}, 'wrong')
  weixin.heard.length = 0
  await desk.settled(await desk.ring({ to: [await follower()] }), ['2 queued 4 1'])
  expect(weixin.heard).toEqual([])
})

it('the app is reached by the alias of the account; without a device it is 未绑定, with a wrong key 发送失败', async () => {
  await desk.setChannel(chat, { adapter: 'log', settings: {}, secret: '', enabled: false })
  await onJpush()
  const who = await desk.person()
  await desk.settled(await desk.ring({ to: [who] }), ['2 skipped 5 0', '5 submitted - 1'])
  expect(jpush.heard.map(({ body }) => body).find(({ audience }) => JSON.stringify(audience) === JSON.stringify({ alias: [who.user_id] }))).toMatchObject({ notification: { alert: '东门将响铃。', android: { title: '东门铃声' } } })
  jpush.refuses = 1011
  await desk.settled(await desk.ring({ to: [who] }), ['2 skipped 5 0', '5 failed 2 1'])
  jpush.refuses = 0
  await onJpush('wrong')
  await desk.settled(await desk.ring({ to: [who] }), ['2 skipped 5 0', '5 queued 4 1'])
  await desk.setChannel(chat, { enabled: true })
})

it('a host that the operator has not listed cannot be set', async () => {
  const answer = await desk.saveChannel(chat, { adapter: 'wecom', settings: { url: 'http://169.254.169.254', corp_id: 'ww1', agent_id: '1' }, secret: 'k' })
  expect([answer.status, answer.body.msg]).toEqual([422, '该服务地址不在允许外发的名单内，请联系运维人员添加后再保存'])
})
