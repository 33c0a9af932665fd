import {
  blackApi, passApi, reasonApi, receiverApi, strangerTurnoverApi, studentTurnoverApi, teacherTurnoverApi, turnoverApi, visitApi, visitorSettingApi, visitorTurnoverApi, visitPublicApi, wallApi,
} from '@campus/access/contract'
import { createDepts, hireStaff } from '@campus/people/server'
import { placeApi } from '@campus/places/contract'
import { loginApi } from '@campus/identity/contract'
import { sql } from 'kysely'
import { dataOf } from '../../testing/index.ts'
import { buildersOf } from '../world.ts'
import type { Builder, World } from '../world.ts'
import { enrolled } from './people.ts'

type PeopleHandle = Parameters<typeof createDepts>[0]
let made = 0
const day = '2026-11-19'
const span = { from: day, to: day }

/** Somebody who receives visitors, in an office of his own. */
async function receiver({ app, school_id, ids }: World): Promise<{ user_id: string; user_name: string; dept_name: string }> {
  made += 1
  const [user_name, dept_name] = [`周接待${made}`, `接待室${made}`]
  const user_id = await app.running.database.tenant(school_id, async (db: PeopleHandle) => {
    const depts = await createDepts(db, school_id, [{ key: 'office', parent: ids.dept ?? '', dept_name, dept_type: 5, tree: 'staff' as const }], '2026-09-01')
    const [hired = ''] = await hireStaff(db, app.running.app.secrets, school_id, [{ user_name: '周接待', sex: '1', kind: '11', join_month: '202609', teacher_no: `VR${school_id}x${made}`, depts: [{ dept_id: depts.get('office') ?? '', is_primary: true }], from: '2026-09-01' }])
    return hired
  })
  return { user_id, user_name: user_name.slice(0, 3), dept_name }
}

async function gate(world: World): Promise<string> {
  made += 1
  const token = { token: world.me.token }
  const { list } = dataOf(placeApi.tree, await world.app.call(placeApi.tree, { lazy: '1' }, token))
  return dataOf(placeApi.create, await world.app.call(placeApi.create, { superior_id: list[0]?.place_id ?? '', place_name: `访客门${made}`, place_kind: 9 }, token)).place.place_id
}

function at(world: World, hour: number): string {
  const tomorrow = new Date(world.app.clock.now().getTime() + 32 * 3_600_000).toISOString().slice(0, 10)
  return `${tomorrow}T${String(hour).padStart(2, '0')}:00:00+08:00`
}

async function draft(world: World) {
  const place_id = await gate(world)
  const { user_id } = await receiver(world)
  made += 1
  return { visitor_name: '郑来访', mobile: `1370000${String(made).padStart(4, '0')}`, reason_code: '1', receiver_user_id: user_id, begin_at: at(world, 9), end_at: at(world, 10), place_ids: [place_id] }
}

async function visit(world: World, steps: readonly ('pass' | 'arrive')[] = []): Promise<string> {
  const token = { token: world.me.token }
  const { visit: { apply_id } } = dataOf(visitApi.create, await world.app.call(visitApi.create, await draft(world), token))
  if (steps.includes('pass')) await world.app.call(visitApi.pass, { apply_ids: [apply_id] }, token)
  if (steps.includes('arrive')) await world.app.call(visitApi.arrive, { apply_id }, token)
  return apply_id
}

/** A pass of a pupil, as if it had been read. */
async function passed(world: World): Promise<{ event_date: string; device_id: string; device_seq: string; user_id: string }> {
  const { app, school_id } = world
  const { user_id, dept_id } = await enrolled(world)
  made += 1
  const device_seq = `suite${made}`
  await app.running.database.tenant<unknown, unknown>(school_id, db => sql`
    insert into access_pass (school_id, event_date, device_id, device_seq, event_time, device_time, received_at, time_state, subject_kind, subject_id, dept_id, is_perimeter, direction, verify_mode, result, is_repeat, is_late, source)
    values (${school_id}, ${day}::date, 1, ${device_seq}, ${`${day}T08:00:00+08:00`}::timestamptz, ${`${day}T08:00:00+08:00`}::timestamptz, ${`${day}T08:00:00+08:00`}::timestamptz, 0, 1, ${user_id}, ${dept_id}, true, 1, 2, 1, false, false, 1)`.execute(db))
  return { event_date: day, device_id: '1', device_seq, user_id }
}

async function linkKey(world: World): Promise<string> {
  const token = { token: world.me.token }
  const { link_key } = dataOf(visitorSettingApi.read, await world.app.call(visitorSettingApi.read, {}, token))
  return link_key === '' ? dataOf(visitorSettingApi.rotate, await world.app.call(visitorSettingApi.rotate, {}, token)).link_key : link_key
}

async function ownReason(world: World): Promise<{ reason_code: string; row_version: number }> {
  made += 1
  const token = { token: world.me.token }
  const { reason_code } = dataOf(reasonApi.create, await world.app.call(reasonApi.create, { reason_name: `事由${made}` }, token))
  const { list } = dataOf(reasonApi.list, await world.app.call(reasonApi.list, {}, token))
  return { reason_code, row_version: list.find(one => one.reason_code === reason_code)?.row_version ?? 1 }
}

async function listed(world: World): Promise<string> {
  made += 1
  const token = { token: world.me.token }
  await world.app.call(blackApi.create, { mobile: `1360000${String(made).padStart(4, '0')}`, reason: '闹事' }, token)
  return dataOf(blackApi.list, await world.app.call(blackApi.list, {}, token)).list[0]?.black_id ?? ''
}

const ofClass = async (world: World) => ({ input: { ...span, dept_id: (await enrolled(world)).dept_id } })
const ofDoor = async (world: World) => ({ input: { ...span, place_id: await gate(world) } })
const people = { page: ofClass, day: ofClass, summary: ofClass, export: ofClass, exportDay: ofClass, exportSummary: ofClass }
const doors = { page: ofDoor, summary: ofDoor, export: ofDoor, exportSummary: ofDoor }

export const accessVisitorCalls: ReadonlyMap<string, Builder> = new Map<string, Builder>([
  ...buildersOf(studentTurnoverApi, people), ...buildersOf(teacherTurnoverApi, people), ...buildersOf(strangerTurnoverApi, doors), ...buildersOf(visitorTurnoverApi, doors),
  ...buildersOf(turnoverApi, { rebuild: () => ({ input: span }) }),
  ...buildersOf(passApi, {
    detail: async world => {
      const { user_id: _user, ...key } = await passed(world)
      return { input: key }
    },
    photo: async world => {
      const { user_id: _user, ...key } = await passed(world)
      return { input: key }
    },
  }),
  ...buildersOf(wallApi, {
    since: async world => ({ input: { place_id: await gate(world) } }), summary: () => ({ input: {} }), presence: () => ({ input: {} }),
    fix: async world => ({ input: { user_id: (await enrolled(world)).user_id, state: 1 as const, reason: '老师确认' } }),
  }),
  ...buildersOf(visitApi, {
    page: () => ({ input: {} }), export: () => ({ input: {} }), board: () => ({ input: {} }),
    detail: async world => ({ input: { apply_id: await visit(world) } }),
    create: async world => ({ input: await draft(world) }),
    cancel: async world => ({ input: { apply_id: await visit(world), reason: '改期' } }),
    extend: async world => ({ input: { apply_id: await visit(world, ['pass']), minutes: 30 } }),
    arrive: async world => ({ input: { apply_id: await visit(world, ['pass']) } }),
    leave: async world => ({ input: { apply_id: await visit(world, ['pass', 'arrive']) } }),
    slip: async world => ({ input: { apply_id: await visit(world, ['pass']) } }),
    scan: async world => ({ input: { code: dataOf(visitApi.slip, await world.app.call(visitApi.slip, { apply_id: await visit(world, ['pass']) }, { token: world.me.token })).pass_code } }),
    pass: async world => ({ input: { apply_ids: [await visit(world)] } }),
    refuse: async world => ({ input: { apply_ids: [await visit(world)], refuse_reason: '不接待' } }),
  }),
  ...buildersOf(blackApi, {
    list: () => ({ input: {} }),
    create: () => {
      made += 1
      return { input: { mobile: `1350000${String(made).padStart(4, '0')}`, reason: '闹事' } }
    },
    lift: async world => ({ input: { black_id: await listed(world), reason: '已和解' } }),
  }),
  ...buildersOf(reasonApi, {
    list: () => ({ input: {} }), choices: () => ({ input: {} }),
    create: async world => {
      made += 1
      return { input: { reason_name: `新事由${made}`, place_ids: [await gate(world)] } }
    },
    update: async world => ({ input: { ...(await ownReason(world)), reason_name: `改事由${made}`, place_ids: [await gate(world)] } }),
    remove: async world => ({ input: { reason_code: (await ownReason(world)).reason_code } }),
    sort: async world => ({ input: { reason_codes: [(await ownReason(world)).reason_code] } }),
  }),
  ...buildersOf(receiverApi, { list: async world => ({ input: { dept_id: (await enrolled(world)).dept_id } }), batch: async world => ({ input: { user_ids: [(await receiver(world)).user_id], day_max: 5 } }) }),
  ...buildersOf(visitorSettingApi, {
    read: () => ({ input: {} }),
    write: async world => {
      const { link_key: _key, ...setting } = dataOf(visitorSettingApi.read, await world.app.call(visitorSettingApi.read, {}, { token: world.me.token }))
      return { input: { ...setting, place_ids: [await gate(world)] } }
    },
    rotate: () => ({ input: {} }),
  }),
  ...buildersOf(visitPublicApi, {
    look: async world => ({ input: { token: await linkKey(world) } }),
    act: async world => {
      const token = await linkKey(world)
      await gate(world)
      const { user_name, dept_name } = await receiver(world)
      made += 1
      const cap_key = dataOf(loginApi.captcha, await world.app.call(loginApi.captcha, { type: 'login' })).key
      return { input: { token, act: 'apply' as const, receiver: user_name, receiver_dept: dept_name, visitor_name: '郑来访', mobile: `1340000${String(made).padStart(4, '0')}`, reason_code: '1', begin_at: at(world, 9), end_at: at(world, 10), cap_key, captcha: '2222' } }
    },
  }),
])
