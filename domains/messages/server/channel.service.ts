import { kept_secret, messagesErrors } from '@campus/messages/contract'
import type { AdapterName, channelApi, ChannelRow, OutsideChannel } from '@campus/messages/contract'
import { spendRecheck } from '@campus/identity/server'
import { commonErrors, fail } from '@kit/contract'
import type { Input } from '@kit/contract'
import type { App, Pre } from '@kit/server/http'
import { sealText } from '@kit/server/secrets'
import { carrierOf, isShutByHost, mayLeave } from './carrier/carrier.ts'
import { readChannels, settingOf } from './channel.queries.ts'
import type { ChannelSetting } from './channel.queries.ts'
import type { MessagesCtx, MessagesDb } from './db.ts'
import { lineOf } from './carrier/line.ts'
import { purposeOf } from './seal.ts'
import { isOutside } from './template.queries.ts'

/** Which adapters can carry which channel. */
const carried: Readonly<Record<OutsideChannel, readonly AdapterName[]>> = {
  2: ['log', 'wecom', 'weixin_mp', 'test'],
  3: ['log', 'sms_http', 'test'],
  4: ['log', 'smtp', 'test'],
  5: ['log', 'app_push', 'test'],
}
const channels: readonly OutsideChannel[] = [2, 3, 4, 5]

/** The four outside channels of the school; secrets never leave. */
export async function listChannels({ app, db, school_id }: MessagesCtx): Promise<{ list: ChannelRow[] }> {
  const set = await readChannels(db, school_id)
  return { list: channels.map(channel => rowOf(app, school_id, channel, settingOf(set, channel))) }
}

/** Sets a channel. @throws Refusal 422 when the adapter does not carry it or the operator has not allowed its host, 409 when somebody has set it meanwhile */
export async function saveChannel(ctx: MessagesCtx, input: Input<typeof channelApi.save>): Promise<ChannelRow> {
  const { app, db, school_id } = ctx
  const { channel, secret, receipt_secret, row_version, settings, ...rest } = input
  if (!isOutside(channel) || !carried[channel].includes(rest.adapter)) throw fail(messagesErrors.adapterUnknown)
  if (rest.adapter === 'test' && app.config.CAMPUS_ENV !== 'test') throw fail(messagesErrors.adapterUnknown)
  const before = settingOf(await readChannels(db, school_id), channel)
  if (secret === kept_secret && before.secret_enc !== null && hasMoved(before, input)) throw fail(commonErrors.invalid, { errors: [{ field: 'secret', msg: '更换地址后请重新填写密钥' }] })
  const kept = (given: string, sealed: Buffer | null, purpose: string) => (given === kept_secret ? sealed : given === '' ? null : sealText(app.secrets.data_key, purpose, given))
  const secret_enc = kept(secret, before.secret_enc, purposeOf.secret(school_id, channel))
  const receipt_secret_enc = kept(receipt_secret, before.receipt_secret_enc, purposeOf.receipt(school_id, channel))
  const set = { ...rest, settings: JSON.stringify(settings), secret_enc, receipt_secret_enc, row_version: row_version + 1 }
  if (isShutByHost(app, rest.adapter, { settings, secret: '' })) throw fail(messagesErrors.hostNotAllowed)
  const saved = await db
    .insertInto('message_channel')
    .values({ school_id, channel, ...set })
    .onConflict(on => on.columns(['school_id', 'channel']).doUpdateSet(set).where('message_channel.row_version', '=', row_version))
    .executeTakeFirst()
  if (row_version !== before.row_version || saved.numInsertedOrUpdatedRows !== 1n) throw fail(commonErrors.stale)
  ctx.note({ target_kind: 'messages.channel', target_id: String(channel), before: { adapter: before.adapter, enabled: before.enabled }, after: { adapter: rest.adapter, enabled: rest.enabled } })
  return rowOf(app, school_id, channel, settingOf(await readChannels(db, school_id), channel))
}

/** A secret goes nowhere but where it was meant for; recorded alone it goes nowhere. */
function hasMoved(before: Pick<ChannelSetting, 'adapter' | 'settings'>, { adapter, settings }: Pick<ChannelSetting, 'adapter' | 'settings'>): boolean {
  if (adapter === 'log') return false
  const is_bared = settings.secure === false && before.settings.secure !== false
  return is_bared || before.adapter !== adapter || ['host', 'port', 'url'].some(key => before.settings[key] !== settings[key])
}

/** Sends one line to an address to see whether a channel works. @throws Refusal 422 when it is only recorded, or the provider does not take it */
export async function testChannel(pre: Pre, { channel, to, recheck_token }: Input<typeof channelApi.test>): Promise<Record<string, never>> {
  const { app, me, now } = pre
  if (!me || !isOutside(channel)) throw fail(messagesErrors.adapterUnknown)
  const { school_id, user_id } = me
  if (!(await pre.own(school_id, db => spendRecheck(db, user_id, recheck_token, now)))) throw fail(messagesErrors.recheckNeeded)
  const setting = settingOf(await pre.own<MessagesDb, Awaited<ReturnType<typeof readChannels>>>(school_id, db => readChannels(db, school_id)), channel)
  const line = lineOf(app, school_id, channel, setting)
  const carrier = carrierOf(app, setting.adapter, line)
  if (!carrier) throw fail(messagesErrors.channelNotReady)
  if (!mayLeave(app, to)) throw fail(messagesErrors.addressNotAllowed)
  const parcel = { message_id: 'test', address: to, title: '测试消息', body: '这是一条测试消息，收到即表示消息通道可用。', link: null, template: null }
  const sent = await carrier.send(line, parcel).catch((error: unknown) => {
    app.log.warn({ channel, problem: error instanceof Error ? error.message : 'unknown' }, 'test message not taken')
    return null
  })
  if (!sent) throw fail(messagesErrors.channelRefused)
  return {}
}

function rowOf(app: App, school_id: number, channel: OutsideChannel, setting: ChannelSetting): ChannelRow {
  const { secret_enc, receipt_secret_enc, ...rest } = setting
  const is_ready = carrierOf(app, setting.adapter, lineOf(app, school_id, channel, setting)) !== null
  return { ...rest, channel, secret: secret_enc ? kept_secret : '', receipt_secret: receipt_secret_enc ? kept_secret : '', is_ready }
}
