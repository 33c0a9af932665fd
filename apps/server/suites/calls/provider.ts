import { providerApi, providerLoginApi } from '@campus/identity/contract'
import type { ProviderShape } from '@campus/identity/contract'
import { sql } from 'kysely'
import { buildersOf } from '../world.ts'
import type { Builder, World } from '../world.ts'
import { makeAccount } from './account.ts'
import { recheckOf } from './messages.ts'

const draft = { enabled: true, label: '演示登录', icon: 'test', match_by: 'external_bind', settings: {}, secret: '' } as const

/** The test provider of a shape, on; its version. */
async function testLine(world: World, shape: ProviderShape): Promise<number> {
  const { rows } = await world.app.running.database.tenant<unknown, { rows: { row_version: number }[] }>(world.school_id, db =>
    sql<{ row_version: number }>`
      insert into login_provider (school_id, shape, adapter, enabled, label, icon) values (${world.school_id}, ${shape}, 'test', true, ${draft.label}, ${draft.icon})
      on conflict (school_id, shape, adapter) do update set enabled = true returning row_version`.execute(db),
  )
  return rows[0]?.row_version ?? 0
}

/** A trip begun in a browser of its own: its cookie, its state, and an account for the code. */
async function begun(world: World, shape: ProviderShape) {
  await testLine(world, shape)
  const { username } = await makeAccount(world, 1)
  const answer = await world.app.call(providerLoginApi.start, { school_id: world.school_id, shape })
  const state = new URL(answer.headers.get('location') ?? '', world.app.url).searchParams.get('state') ?? ''
  return { state, code: `${username}.${state}`, headers: { cookie: answer.headers.getSetCookie()[0]?.split(';')[0] ?? '' } }
}

/** Somebody of the school who has bound an account of WeChat Work. */
async function bound(world: World, user_id: string): Promise<string> {
  await world.app.running.database.tenant<unknown, unknown>(world.school_id, db =>
    sql`insert into external_bind (school_id, provider, external_id, user_id) values (${world.school_id}, 'wecom', ${`corp|${user_id}`}, ${user_id}) on conflict do nothing`.execute(db),
  )
  return user_id
}

/** What a trip that found nobody leaves behind, for the browser it was begun in. */
async function bindToken(world: World): Promise<{ bind_token: string; headers: { cookie: string } }> {
  const [bind_token, browser] = [crypto.randomUUID(), crypto.randomUUID()]
  await world.app.running.database.tenant<unknown, unknown>(0, db =>
    sql`insert into provider_visit (state_hash, purpose, browser_hash, school_id, shape, adapter, external_id, begun_at, expire_at)
      values (sha256(${bind_token}::bytea), 'bind', sha256(${browser}::bytea), ${world.school_id}, 'A', 'wecom', ${`corp|${bind_token}`}, now(), ${new Date(world.app.clock.now().getTime() + 60_000)})`.execute(db),
  )
  return { bind_token, headers: { cookie: `campus_provider=${browser}` } }
}

const login = buildersOf(providerLoginApi, {
  autoLogin: async world => {
    const { state, code, headers } = await begun(world, 'A')
    return { input: { wxcode: code, state, auto_login: '1' }, headers }
  },
  weixiao: async world => {
    const { code, headers } = await begun(world, 'B')
    return { input: { appid: 'test', code }, headers }
  },
  third: async world => {
    const { state, code, headers } = await begun(world, 'C')
    return { input: { code, type: 'test', token: state }, headers }
  },
  form: async world => {
    const { code, headers } = await begun(world, 'D')
    return { input: { code, school_id: world.school_id }, headers }
  },
  start: async world => {
    await testLine(world, 'A')
    return { input: { school_id: world.school_id, shape: 'A' as const } }
  },
  bind: async world => {
    const { bind_token, headers } = await bindToken(world)
    return { input: { bind_token }, headers }
  },
  mine: () => ({ input: {} }),
  unbind: async world => {
    await bound(world, world.me.user_id)
    return { input: { adapter: 'wecom' as const } }
  },
  oneTimeCode: async world => {
    await world.app.running.database.tenant<unknown, unknown>(world.school_id, db =>
      sql`insert into login_provider (school_id, shape, adapter, enabled, label, icon) values (${world.school_id}, 'D', 'one_time_code', true, '登录码', 'key') on conflict do nothing`.execute(db),
    )
    return { input: { user_id: (await makeAccount(world, 1)).user_id } }
  },
})

const admin = buildersOf(providerApi, {
  list: () => ({ input: {} }),
  create: async world => ({ input: { recheck_token: await recheckOf(world), shape: 'C' as const, adapter: 'oidc' as const, ...draft, icon: 'oidc' as const, enabled: false, settings: { issuer: 'https://sso.example.cn', client_id: 'campus' } } }),
  update: async world => ({ input: { recheck_token: await recheckOf(world), shape: 'B' as const, adapter: 'test' as const, row_version: await testLine(world, 'B'), ...draft } }),
  remove: async world => ({ input: { shape: 'C' as const, adapter: 'test' as const, row_version: await testLine(world, 'C') } }),
  test: async world => {
    await testLine(world, 'A')
    return { input: { shape: 'A' as const, adapter: 'test' as const } }
  },
  testResult: async world => {
    await testLine(world, 'A')
    const { body } = await world.app.call(providerApi.test, { shape: 'A', adapter: 'test' }, { token: world.me.token })
    return { input: { test_no: providerApi.test.details.reply.parse(body.data).test_no } }
  },
  bound: () => ({ input: { adapter: 'wecom' as const } }),
  unbind: async world => ({ input: { adapter: 'wecom' as const, user_id: await bound(world, (await makeAccount(world, 1)).user_id) } }),
})

export const providerCalls: ReadonlyMap<string, Builder> = new Map([...login, ...admin])
