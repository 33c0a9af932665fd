import { doorApi, doorQrApi, temporaryApi } from '@campus/access/contract'
import { deviceApi } from '@campus/devices/contract'
import { placeApi } from '@campus/places/contract'
import { sql } from 'kysely'
import { dataOf } from '../../testing/index.ts'
import { buildersOf } from '../world.ts'
import type { Builder, World } from '../world.ts'

let made = 0
const hour_ms = 3_600_000
const why = { reason_code: '1' as const, reason: '忘带校园卡' }
const as = ({ me }: World) => ({ token: me.token })

/** A door at a gate that is on line, as far as the registry knows. */
async function aDoor(world: World): Promise<string> {
  made += 1
  const { app, school_id } = world
  const { list } = dataOf(placeApi.tree, await app.call(placeApi.tree, { lazy: '1' }, as(world)))
  const place = dataOf(placeApi.create, await app.call(placeApi.create, { superior_id: list[0]?.place_id ?? '', place_name: `测试校门${made}`, place_kind: 9 }, as(world))).place
  const draft = { device_sn: `DO${school_id}N${made}`, device_name: `门控终端${school_id}${made}`, device_type: '01' as const, model_code: 'JD-F10', place_id: place.place_id }
  const { device_id } = dataOf(deviceApi.create, await app.call(deviceApi.create, draft, as(world))).device
  await app.running.database.tenant(school_id, db => sql`
    update device set lifecycle = 'active', online = true, offline_reason = null, online_since = now(), last_seen_at = now() + interval '1 day' where school_id = ${school_id} and device_id = ${device_id}`.execute(db))
  return device_id
}

/** What goes on in the school is ended by the call: nothing has been told to any door. */
async function anEmergency({ app, school_id, me }: World): Promise<void> {
  await app.running.database.tenant(school_id, db => sql`
    insert into door_emergency (school_id, emergency_id, kind, reason, begun_at, begun_by) values (${school_id}, gen_random_uuid(), 5, '演练', ${app.clock.now()}, ${me.user_id}) on conflict do nothing`.execute(db))
}

/** The acting person is a member of staff who may pass every door for an hour. */
async function mayPass(world: World): Promise<void> {
  const { app, school_id, me } = world
  await app.running.database.tenant(school_id, async db => {
    await sql`insert into person (school_id, user_id, user_name, name_py, name_initials, sex) values (${school_id}, ${me.user_id}, '门控人', 'menkongren', 'mkr', '1') on conflict do nothing`.execute(db)
    await sql`insert into staff (school_id, user_id, teacher_no, kind, join_month) values (${school_id}, ${me.user_id}, ${me.user_no}, '11', '202609') on conflict do nothing`.execute(db)
    const { rows } = await sql`select 1 as one from staff_span where school_id = ${school_id} and user_id = ${me.user_id}`.execute(db)
    if (rows.length > 0) return
    await sql`insert into staff_span (school_id, user_id, state, valid_from, open_kind) values (${school_id}, ${me.user_id}, '11', '2026-09-01', 'IN')`.execute(db)
    await sql`insert into dept_member (school_id, member_kind, user_id, dept_id, dept_type, valid_from)
      select school_id, 'staff', ${me.user_id}::bigint, id, dept_type, '2026-09-01' from dept_now where school_id = ${school_id} and dept_type not in (9, 10) limit 1 returning 1 as one`.execute(db)
  })
  const now = app.clock.now().getTime()
  const draft = { person_kind: 2, effect: 1 as const, direction: 3 as const, user_ids: [me.user_id], begin_at: new Date(now - 1000).toISOString(), end_at: new Date(now + hour_ms).toISOString(), reason_code: '1' as const, reason: '外出办事' }
  dataOf(temporaryApi.add, await app.call(temporaryApi.add, draft, as(world)))
}

async function aCode(world: World): Promise<string> {
  const device_id = await aDoor(world)
  dataOf(doorQrApi.enable, await world.app.call(doorQrApi.enable, { device_ids: [device_id], enabled: true }, as(world)))
  return dataOf(doorQrApi.list, await world.app.call(doorQrApi.list, {}, as(world))).list.find(row => row.device_id === device_id)?.token ?? ''
}

export const accessDoorCalls: ReadonlyMap<string, Builder> = new Map([
  ...buildersOf(doorApi, {
    list: () => ({ input: {} }),
    open: async world => ({ input: { device_ids: [await aDoor(world)], ...why } }),
    hold: async world => ({ input: { device_ids: [await aDoor(world)], kind: 2 as const, ...why } }),
    emergency: async world => {
      await anEmergency(world)
      return { input: { kind: 4 as const, reason: '演练结束' } }
    },
    commands: async world => ({ input: { device_id: await aDoor(world) } }),
    state: () => ({ input: {} }),
  }),
  ...buildersOf(doorQrApi, {
    list: () => ({ input: {} }),
    enable: async world => ({ input: { device_ids: [await aDoor(world)], enabled: true } }),
    rotate: async world => ({ input: { device_ids: [await aDoor(world)] } }),
    open: async world => {
      await mayPass(world)
      return { input: { token: await aCode(world) } }
    },
  }),
])
