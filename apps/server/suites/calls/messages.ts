import { createHash } from 'node:crypto'
import { alertTemplates, channelApi, inboxApi, messageApi, templateApi } from '@campus/messages/contract'
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
  return { channel: 3, settings: {}, secret: 'k', day_limit: 100, person_day_limit: 10, quiet_from: '22:00', quiet_to: '07:00', enabled: true, row_version: 0, ...row, adapter: 'test' as const }
}

/** The proof that the person has just typed his password. */
async function recheckOf({ app, me, school_id }: World): Promise<string> {
  const token = `recheck ${(made += 1)}`
  const expire_at = new Date(app.clock.now().getTime() + 60_000)
  await app.running.database.tenant(school_id, db =>
    sql`insert into ticket (ticket_hash, purpose, user_id, school_id, expire_at) values (${createHash('sha256').update(token).digest()}, 'recheck', ${me.user_id}, ${school_id}, ${expire_at})`.execute(db))
  return token
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
