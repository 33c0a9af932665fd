import { dataOf, domains, startTestApp, test_schools } from '@apps/server/testing'
import type { TestApp, TestUser } from '@apps/server/testing'
import { channelApi, messageApi, messageTemplate } from '@campus/messages/contract'
import type { ChannelRow } from '@campus/messages/contract'
import type { DomainServer } from '@kit/server/http'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { messageTemplatePort, send } from '../index.ts'
import type { NewMessage } from '../index.ts'
import { nextTime } from '../school-time.ts'

const { a: school_id } = test_schools
const codes = ['messages.setting.edit', 'messages.message.view', 'messages.message.retry']
let made = 0

/** A running server with one template `probe.bell`, and what tests of deliveries do with it. */
export type MessageDesk = Awaited<ReturnType<typeof openDesk>>

/** Starts it at noon of a school day; `channels`: the order in which the template is tried. */
export async function openDesk(channels: readonly (2 | 3 | 4 | 5)[], settings: Record<string, string> = {}) {
  const bell = messageTemplate({ code: 'probe.bell', name: '铃声', title: '{place}铃声', body: '{place}将响铃。', fields: { place: 20 }, channels: [...channels] })
  const probe: DomainServer = { name: 'probe', migrations: import.meta.dirname, routes: [], compose: ({ app: node }) => messageTemplatePort.fill(node, bell) }
  const app = await startTestApp({ domains: [...domains, probe], settings: { CAMPUS_LOG_LEVEL: 'fatal', ...settings } })
  app.clock.advance(nextTime(app.clock.now(), '12:00').getTime() - app.clock.now().getTime())
  return { app, school_id, ...actsOf(app, bell) }
}

function actsOf(app: TestApp, bell: NewMessage<'place'>['template']) {
  const admin = (at: number = school_id) => app.as({ school_id: at, codes })
  const channelRow = async (channel: number, { token }: TestUser) => {
    const row = dataOf(channelApi.list, await app.call(channelApi.list, {}, { token })).list.find(one => one.channel === channel)
    if (!row) throw new Error('no such channel')
    return row
  }
  const saveChannel = async (channel: number, draft: Partial<ChannelRow>, who?: TestUser) => {
    const user = who ?? (await admin())
    return app.call(channelApi.save, { ...(await channelRow(channel, user)), ...draft }, { token: user.token })
  }
  const ring = (draft: Partial<NewMessage<'place'>> & Pick<NewMessage<'place'>, 'to'>, at: number = school_id) =>
    app.running.database.tenant<unknown, string>(at, db =>
      send({ app: app.running.app, db, school_id: at, now: app.clock.now() }, { template: bell, source_ref: `ring${(made += 1)}`, values: { place: '东门' }, level: 1, ...draft }))
  /** The outside deliveries of a message as `channel state reason attempts`. */
  const outside = async (message_id: string) => {
    const { token } = await admin()
    const { list } = dataOf(messageApi.delivery, await app.call(messageApi.delivery, { id: message_id }, { token }))
    return list.filter(({ channel }) => channel > 1).map(({ channel, state, reason, attempts }) => `${channel} ${state} ${reason ?? '-'} ${attempts}`)
  }
  return {
    admin, channelRow, saveChannel, ring, outside,
    /** Sets a channel as it must be. */
    async setChannel(channel: number, draft: Partial<ChannelRow>) {
      const answer = await saveChannel(channel, draft)
      expect([answer.status, answer.body.msg]).toEqual([200, '操作成功'])
      return dataOf(channelApi.save, answer)
    },
    /** Somebody of the school with what the directory and outside systems know of him. */
    async person(facts: { mobile?: string; email?: string; bound?: readonly [provider: string, external_id: string] } = {}) {
      const user = await app.as({ school_id, codes: [] })
      const { mobile = null, email = null, bound } = facts
      await app.running.database.tenant(school_id, async db => {
        await sql`insert into person (school_id, user_id, user_name, name_py, name_initials, sex, mobile, email) values (${school_id}, ${user.user_id}, '测试', 'ceshi', 'cs', '1', ${mobile}, ${email})`.execute(db)
        if (bound) await sql`insert into external_bind (school_id, provider, external_id, user_id) values (${school_id}, ${bound[0]}, ${bound[1]}, ${user.user_id})`.execute(db)
      })
      return user
    },
    async settled(message_id: string, lines: readonly string[]) {
      await expect.poll(() => outside(message_id)).toEqual(lines)
    },
    clockTo: (time: string) => app.clock.advance(nextTime(app.clock.now(), time).getTime() - app.clock.now().getTime()),
  }
}
