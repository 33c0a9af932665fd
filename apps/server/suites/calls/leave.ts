import { applyApi, formApi, leaveSettingApi, mineApi, quotaApi, reasonApi, recordApi, recoverApi, taskApi } from '@campus/leave/contract'
import { sql } from 'kysely'
import { dataOf } from '../../testing/index.ts'
import { buildersOf } from '../world.ts'
import type { Builder, World } from '../world.ts'
import { enrolled } from './people.ts'

let made = 0
const pupil = 1 as const
const day_ms = 86_400_000
const hour_ms = 3_600_000

const tenant = <R>({ app, school_id }: World, act: Parameters<typeof app.running.database.tenant<unknown, R>>[1]) => app.running.database.tenant<unknown, R>(school_id, act)

/** The caller as a member of staff, so that something can wait for him. */
async function hired(world: World): Promise<void> {
  const { school_id, me } = world
  await tenant(world, async db => {
    await sql`insert into person (school_id, user_id, user_name, name_py, name_initials, sex) values (${school_id}, ${me.user_id}, '李可', 'like', 'lk', '1') on conflict do nothing`.execute(db)
    await sql`insert into staff (school_id, user_id, teacher_no, kind, join_month) values (${school_id}, ${me.user_id}, ${me.user_no}, '11', '202609') on conflict do nothing`.execute(db)
    return sql`insert into staff_span (school_id, user_id, state, valid_from, open_kind) select ${school_id}::int, ${me.user_id}::bigint, '11', date '2026-09-01', 'IN'
      where not exists (select 1 from staff_span where school_id = ${school_id} and user_id = ${me.user_id}) returning id`.execute(db)
  })
}

async function reason(world: World): Promise<string> {
  made += 1
  return dataOf(reasonApi.add, await world.app.call(reasonApi.add, { reason_name: `原因${made}`, person_kinds: [1, 2] }, { token: world.me.token })).reason_code
}

function design(user_id: string) {
  const step = { mode: 1, resolver: 8, resolver_ids: [user_id], when: {}, remind_min: 30, escalate_min: 120 }
  return { leave_types: ['1', '2', '01'], unit: 3, min_minutes: 15, max_minutes: 43_200, advance_min: 0, backdate_days: 3, exit_mode: 1, meal: true, bus: true, auto_return: true, late_grace_min: 60, attach_from_days: null, no_approval: false, fallback_user_ids: [user_id], steps: [step] }
}

/** A draft of a form; the caller decides. */
async function drafted(world: World, person_kind: 1 | 2 = 1): Promise<{ form_id: string; row_version: number }> {
  await hired(world)
  made += 1
  return dataOf(formApi.save, await world.app.call(formApi.save, { form_name: `表单${made}`, person_kind, design: design(world.me.user_id) }, { token: world.me.token }))
}

async function running(world: World, person_kind: 1 | 2 = 1): Promise<string> {
  const draft = await drafted(world, person_kind)
  dataOf(formApi.publish, await world.app.call(formApi.publish, draft, { token: world.me.token }))
  return draft.form_id
}

const at = ({ app }: World, hours: number) => new Date(app.clock.now().getTime() + hours * hour_ms).toISOString()
const span = (world: World, from: number, to: number) => [{ begin: at(world, from), end: at(world, to) }]

/** What may be asked for a pupil of nobody else. */
async function wish(world: World, from = 24, to = 26) {
  const { user_id } = await enrolled(world)
  return { form_id: await running(world), leave_type: '1', reason_code: await reason(world), reason: '家中有事', spans: span(world, from, to), user_ids: [user_id] }
}

async function sent(world: World, from = 24, to = 26): Promise<{ leave_id: string; user_id: string }> {
  const draft = await wish(world, from, to)
  const { leave_id } = dataOf(applyApi.add, await world.app.call(applyApi.add, draft, { token: world.me.token }))
  return { leave_id, user_id: draft.user_ids[0] ?? '' }
}

/** A task of the caller: who asks for a pupil and decides is asked no more, so the application is another one's. */
export async function waiting(world: World): Promise<{ task_id: string; version: number; leave_id: string }> {
  const { app, me, school_id } = world
  const other = await app.as({ school_id, codes: 'all', places: 'all' })
  const { leave_id } = dataOf(applyApi.add, await app.call(applyApi.add, await wish(world), { token: other.token }))
  const { list } = dataOf(taskApi.page, await app.call(taskApi.page, { page_size: 300 }, { token: me.token }))
  const task = list.find(one => one.leave_id === leave_id)
  return { task_id: task?.task_id ?? '', version: task?.version ?? 1, leave_id }
}

/** A leave that is in force; the caller has agreed by asking. */
const agreed = (world: World, from = 24, to = 26) => sent(world, from, to)

/** A leave of the caller himself. */
async function own(world: World, from = 24, to = 26) {
  await hired(world)
  made += 1
  const [first, last] = [made * 48 + from, made * 48 + to]
  return { form_id: await running(world, 2), leave_type: '01', reason_code: await reason(world), reason: '家中有事', spans: span(world, first, last), user_ids: [world.me.user_id] }
}

async function ownSent(world: World, from = 24, to = 26): Promise<string> {
  return dataOf(mineApi.add, await world.app.call(mineApi.add, await ownFor(world, from, to), { token: world.me.token })).leave_id
}

/** The same with somebody else who decides: nobody decides his own leave. */
async function ownFor(world: World, from: number, to: number) {
  const draft = await own(world, from, to)
  const other = await colleague(world)
  await tenant(world, db => sql`update leave_form_version set design = jsonb_set(jsonb_set(design, '{fallback_user_ids}', ${JSON.stringify([other])}::jsonb), '{steps,0,resolver_ids}', ${JSON.stringify([other])}::jsonb)
    where school_id = ${world.school_id} and form_id = ${draft.form_id}`.execute(db))
  return draft
}

async function ownAgreed(world: World): Promise<string> {
  const leave_id = await ownSent(world)
  await tenant(world, async db => {
    await sql`update leave_version set state = 1 where school_id = ${world.school_id} and leave_id = ${leave_id}`.execute(db)
    await sql`update leave_task set state = 6 where school_id = ${world.school_id} and leave_id = ${leave_id}`.execute(db)
    await sql`update leave_member set state = 2 where school_id = ${world.school_id} and leave_id = ${leave_id}`.execute(db)
    return sql`update leave_apply set state = 2, fact_version = 1, decided_at = submitted_at where school_id = ${world.school_id} and leave_id = ${leave_id}`.execute(db)
  })
  return leave_id
}

/** A member of staff besides the caller. */
async function colleague(world: World): Promise<string> {
  const other = await world.app.as({ school_id: world.school_id, codes: [] })
  await hired({ ...world, me: other })
  return other.user_id
}

const day = (world: World, days = 0) => new Date(world.app.clock.now().getTime() + hour_ms * 8 + days * day_ms).toISOString().slice(0, 10)
const changed = async (world: World, hours: number) => ({ leave_id: (await agreed(world, -1, 3)).leave_id, spans: span(world, -1, hours), reason: '病情未愈' })

export const leaveCalls: ReadonlyMap<string, Builder> = new Map<string, Builder>([
  ...buildersOf(reasonApi, {
    list: () => ({ input: {} }),
    add: () => ({ input: { reason_name: `新原因${(made += 1)}`, person_kinds: [pupil] } }),
    update: async world => ({ input: { reason_code: await reason(world), reason_name: `改名${(made += 1)}`, person_kinds: [pupil], row_version: 1 } }),
    sort: async world => ({ input: { reason_codes: [await reason(world)] } }),
    delete: async world => ({ input: { reason_code: await reason(world) } }),
  }),
  ...buildersOf(formApi, {
    list: () => ({ input: {} }),
    read: async world => ({ input: { form_id: (await drafted(world)).form_id } }),
    save: async world => {
      const draft = await drafted(world)
      return { input: { ...draft, form_name: `改名${(made += 1)}`, person_kind: pupil, design: design(world.me.user_id) } }
    },
    publish: async world => ({ input: await drafted(world) }),
    copy: async world => ({ input: { form_id: (await drafted(world)).form_id, form_name: `副本${(made += 1)}` } }),
    disable: async world => ({ input: { form_id: await running(world), disabled: true } }),
    simulate: async world => ({ input: { form_id: await running(world), user_id: (await enrolled(world)).user_id, leave_type: '1', begin: at(world, 24), end: at(world, 26) } }),
  }),
  ...buildersOf(applyApi, {
    options: () => ({ input: {} }),
    pickups: async world => ({ input: { user_id: (await enrolled(world)).user_id } }),
    preview: async world => ({ input: await wish(world) }),
    add: async world => ({ input: await wish(world) }),
    page: async world => ({ input: { user_id: (await sent(world)).user_id } }),
    export: async world => ({ input: { user_id: (await sent(world)).user_id } }),
    today: async world => ({ input: { dept_id: (await enrolled(world)).dept_id } }),
    read: async world => ({ input: { leave_id: (await sent(world)).leave_id } }),
    effects: async world => ({ input: { leave_id: (await sent(world)).leave_id } }),
    withdraw: async world => ({ input: { leave_id: (await waiting(world)).leave_id } }),
    cancel: async world => ({ input: { leave_id: (await agreed(world)).leave_id } }),
    change: async world => ({ input: await changed(world, 2) }),
    extend: async world => ({ input: await changed(world, 9) }),
    endEarly: async world => ({ input: { leave_id: (await agreed(world, -1, 3)).leave_id, end: at(world, 1) } }),
    return: async world => ({ input: { leave_id: (await agreed(world, -1, 3)).leave_id } }),
    void: async world => ({ input: { leave_id: (await agreed(world, -1, 3)).leave_id, reason: '登记错误' } }),
    retry: async world => ({ input: { leave_id: (await agreed(world)).leave_id, effect: 'message' } }),
  }),
  ...buildersOf(taskApi, {
    page: () => ({ input: {} }),
    read: async world => ({ input: { task_id: (await waiting(world)).task_id } }),
    pass: async world => ({ input: taskOf(await waiting(world)) }),
    refuse: async world => ({ input: { ...taskOf(await waiting(world)), opinion: '证明不足' } }),
    sendBack: async world => ({ input: { ...taskOf(await waiting(world)), opinion: '请补充证明' } }),
    transfer: async world => ({ input: { ...taskOf(await waiting(world)), to_user_id: await colleague(world) } }),
    addSign: async world => ({ input: { ...taskOf(await waiting(world)), to_user_id: await colleague(world) } }),
    batchPass: async world => ({ input: { task_ids: [(await waiting(world)).task_id] } }),
  }),
  ...buildersOf(recordApi, {
    page: async world => ({ input: { from: day(world, -7), to: day(world), dept_id: (await enrolled(world)).dept_id } }),
    export: async world => ({ input: { from: day(world, -7), to: day(world), dept_id: (await enrolled(world)).dept_id } }),
    week: async world => ({ input: { date: day(world), dept_id: (await enrolled(world)).dept_id } }),
    people: async world => ({ input: { date: day(world), dept_id: (await enrolled(world)).dept_id } }),
    recover: () => ({ input: {} }),
  }),
  ...buildersOf(recoverApi, {
    follow: async world => ({ input: { ...(await agreed(world)), note: '已电话随访' } }),
    resume: async world => ({ input: { ...(await agreed(world)), note: '已痊愈' } }),
  }),
  ...buildersOf(quotaApi, {
    page: async world => ({ input: { dept_id: (await enrolled(world)).dept_id } }),
    balance: () => ({ input: {} }),
    give: async world => ({ input: { user_id: await colleague(world), quota_code: '03' as const, days: 5 } }),
    correct: async world => ({ input: { user_id: await colleague(world), quota_code: '03' as const, days: -1 } }),
  }),
  ...buildersOf(mineApi, {
    uploadForm: () => ({ input: {} }),
    options: () => ({ input: {} }),
    list: () => ({ input: {} }),
    read: async world => ({ input: { leave_id: await ownSent(world) } }),
    preview: async world => ({ input: await own(world) }),
    add: async world => ({ input: await ownFor(world, 24, 26) }),
    withdraw: async world => ({ input: { leave_id: await ownSent(world) } }),
    cancel: async world => ({ input: { leave_id: await ownAgreed(world) } }),
    change: async world => {
      const leave_id = await ownAgreed(world)
      return { input: { leave_id, spans: span(world, made * 48 + 24, made * 48 + 25), reason: '时间有变' } }
    },
    endEarly: async world => {
      const leave_id = await ownAgreed(world)
      const { rows } = await tenant(world, db => sql<{ end: Date }>`select end_at - interval '30 minutes' as end from leave_span where school_id = ${world.school_id} and leave_id = ${leave_id}`.execute(db))
      return { input: { leave_id, end: (rows[0]?.end ?? world.app.clock.now()).toISOString() } }
    },
    today: () => ({ input: {} }),
  }),
  ...buildersOf(leaveSettingApi, {
    read: () => ({ input: {} }),
    write: async world => ({ input: { ...dataOf(leaveSettingApi.read, await world.app.call(leaveSettingApi.read, {}, { token: world.me.token })), void_days: 20 } }),
  }),
])

const taskOf = ({ task_id, version }: { task_id: string; version: number }) => ({ task_id, version })
