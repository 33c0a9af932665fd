import { aiHelpApi, cloudFeeApi, subAppApi } from '@campus/identity/contract'
import { sql } from 'kysely'
import { dataOf } from '../../testing/index.ts'
import { buildersOf } from '../world.ts'
import type { Builder, World } from '../world.ts'

/** The query of a fresh link to the hall. */
async function hallQuery({ app, me }: World): Promise<string> {
  const { url } = dataOf(subAppApi.link, await app.call(subAppApi.link, { code: 'hall' }, { token: me.token }))
  return url.slice(url.indexOf('?') + 1)
}

/** A session of the hall, as its link gave it. */
async function hallSession(world: World): Promise<{ token: string; cookie: string }> {
  const answer = await world.app.call(subAppApi.verify, { query: await hallQuery(world) })
  const told = dataOf(subAppApi.verify, answer)
  const cookie = answer.headers.getSetCookie().find(line => line.startsWith('mini_hall='))?.split(';')[0] ?? ''
  return { token: 'token' in told ? told.token : '', cookie }
}

async function withHelp({ app, school_id }: World): Promise<void> {
  await app.running.database.tenant(school_id, db => sql`update school_config set open_ai_help = 1 where school_id = ${school_id}`.execute(db))
}

export const subAppCalls: ReadonlyMap<string, Builder> = new Map([
  ...buildersOf(subAppApi, {
    link: () => ({ input: { code: 'hall' as const } }),
    thirdToken: () => ({ input: { code: 'hall' as const } }),
    manifest: async world => ({ input: {}, token: (await hallSession(world)).token }),
    verify: async world => ({ input: { query: await hallQuery(world) } }),
    refresh: async world => ({ input: { app: 'hall' as const }, headers: { cookie: (await hallSession(world)).cookie } }),
    leave: async world => ({ input: {}, token: (await hallSession(world)).token }),
  }),
  ...buildersOf(cloudFeeApi, { enable: world => ({ input: { school_id: world.school_id } }) }),
  ...buildersOf(aiHelpApi, {
    frame: async world => {
      await withHelp(world)
      return { input: {} }
    },
  }),
])
