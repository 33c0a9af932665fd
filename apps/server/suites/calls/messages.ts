import { createHash, createHmac } from 'node:crypto'
import { alertTemplates, channelApi, inboxApi, messageApi, receiptApi, templateApi } from '@campus/messages/contract'
import { send } from '@campus/messages/server'
import { sql } from 'kysely'
import { dataOf } from '../../testing/index.ts'
import { buildersOf } from '../world.ts'
import type { Builder, World } from '../world.ts'

let made = 0

/** A line in the inbox of the person who may do everything. */
function aMessage({ app, me, school_id }: World): Promise<string> {
  const { app: product, database } = app.running
  const values = { who: '本人', at: '2026-11-20 08:00' }
  return database.tenant<unknown, string>(school_id, db =>
    send({ app: product, db, school_id, now: app.clock.now() }, { template: alertTemplates.passwordChanged, source_ref: `suite/${(made += 1)}`, to: [{ user_id: me.user_id }], values, level: 1 }))
}

/** A channel as a form would send it back, on the adapter of the test environment. */
async function channelDraft({ app, me }: World) {
  const { list } = dataOf(channelApi.list, await app.call(channelApi.list, {}, { token: me.token }))
  const { is_ready: _ready, ...row } = list.find(({ channel }) => channel === 3) ?? list[0] ?? Object.freeze({ is_ready: false })
  return { channel: 3, settings: {}, secret: 'k', receipt_secret: '', day_limit: 100, person_day_limit: 10, quiet_from: '22:00', quiet_to: '07:00', enabled: true, row_version: 0, ...row, adapter: 'test' as const }
}

/** The proof that the person has just typed his password. */
export async function recheckOf({ app, me, school_id }: World): Promise<string> {
  const token = `recheck ${(made += 1)}`
  const expire_at = new Date(app.clock.now().getTime() + 60_000)
  await app.running.database.tenant(school_id, db =>
    sql`insert into ticket (ticket_hash, purpose, user_id, school_id, expire_at) values (${createHash('sha256').update(token).digest()}, 'recheck', ${me.user_id}, ${school_id}, ${expire_at})`.execute(db))
  return token
}

/** What a gateway for short messages tells, signed with the secret of the channel. */
async function signedReceipt(world: World) {
  const { app, me, school_id } = world
  const settings = { url: 'http://127.0.0.1:9/sms', body: '{mobile}', receipt_id: 'id', receipt_state: 'state', receipt_ok: 'ok' }
  await app.call(channelApi.save, { ...(await channelDraft(world)), adapter: 'sms_http', settings, secret: 'k', receipt_secret: 'r' }, { token: me.token })
  const letter = JSON.stringify({ id: `nobody's ${(made += 1)}`, state: 'ok' })
  return { input: { adapter: 'sms_http' as const, school_id }, letter, headers: { 'x-signature': createHmac('sha256', 'r').update(letter).digest('hex') } }
}

export const messagesCalls: ReadonlyMap<string, Builder> = new Map([
  ...buildersOf(inboxApi, {
    list: () => ({ input: {} }),
    count: () => ({ input: {} }),
    read: async world => ({ input: { ids: [await aMessage(world)] } }),
  }),
  ...buildersOf(channelApi, {
    list: () => ({ input: {} }),
    save: async world => ({ input: await channelDraft(world) }),
    test: async world => {
      await world.app.call(channelApi.save, await channelDraft(world), { token: world.me.token })
      return { input: { channel: 3, to: '10000000000', recheck_token: await recheckOf(world) } }
    },
  }),
  ...buildersOf(receiptApi, { take: signedReceipt }),
  ...buildersOf(templateApi, {
    list: () => ({ input: {} }),
    save: async ({ app, me }) => {
      const { list } = dataOf(templateApi.list, await app.call(templateApi.list, {}, { token: me.token }))
      const { title, body, channels, all_channels, provider_template_id, enabled, row_version, code } = list.find(row => row.code === 'identity.password_changed') ?? list[0] ?? { code: '', title: '', body: '', channels: [], all_channels: false, provider_template_id: null, enabled: true, row_version: 0 }
      return { input: { code, title, body, channels, all_channels, provider_template_id, enabled, row_version } }
    },
  }),
  ...buildersOf(messageApi, {
    page: () => ({ input: {} }),
    export: () => ({ input: { why: '核对' } }),
    delivery: async world => ({ input: { id: await aMessage(world) } }),
    retry: async world => ({ input: { id: await aMessage(world) } }),
  }),
])
