import { abnormalApi, banApi, deptRuleApi, devPlaceApi, explainApi, myPickupApi, pickupApi } from '@campus/access/contract'
import { pickupModeApi, pickupPersonApi, ruleApi, temporaryApi, userRuleApi } from '@campus/access/contract'
import { deviceApi } from '@campus/devices/contract'
import { placeApi } from '@campus/places/contract'
import type { Call } from '@kit/contract'
import { sql } from 'kysely'
import { z } from 'zod'
import { dataOf } from '../../testing/index.ts'
import { buildersOf } from '../world.ts'
import type { Builder, World } from '../world.ts'
import { accessDoorCalls } from './access-doors.ts'
import { accessVisitorCalls } from './access-visitors.ts'
import { enrolled } from './people.ts'

let made = 0
const hour_ms = 3_600_000
const everyday = [{ direction: 1 as const, day_match: 5, week_flags: null, begin_min: 420, end_min: 1080 }]
const as = ({ me }: World) => ({ token: me.token })

function ruleDraft() {
  made += 1
  return { scene: 1, rule_name: `测试时段${made}`, periods: everyday }
}

async function aRule(world: World) {
  const { rule } = dataOf(ruleApi.add, await world.app.call(ruleApi.add, ruleDraft(), as(world)))
  if (!rule) throw new Error('no rule was made')
  return rule
}

/** A gate with one terminal. */
async function aGate(world: World): Promise<string> {
  made += 1
  const { list } = dataOf(placeApi.tree, await world.app.call(placeApi.tree, { lazy: '1' }, as(world)))
  const draft = { superior_id: list[0]?.place_id ?? '', place_name: `测试门${made}`, place_kind: 9 }
  const { place_id } = dataOf(placeApi.create, await world.app.call(placeApi.create, draft, as(world))).place
  await world.app.call(deviceApi.create, { device_sn: `AC${world.school_id}N${made}`, device_name: `通行终端${world.school_id}${made}`, device_type: '01', model_code: 'JD-F10', place_id }, as(world))
  return place_id
}

async function doors(world: World) {
  const gate = await aGate(world)
  return { rule_id: (await aRule(world)).rule_id, in_place_ids: [gate], out_place_ids: [gate], valid_from: today(world) }
}

const today = ({ app }: World) => app.clock.now().toISOString().slice(0, 10)

const Shown = z.object({ plan: z.object({ plan_hash: z.string() }) })

/** A change of rights with the plan that was shown of it. */
async function planned<I extends object>(world: World, call: Call, draft: I): Promise<I & { plan_hash: string }> {
  const answer = await world.app.call(call, { ...draft, preview: true }, as(world))
  return { ...draft, plan_hash: Shown.parse(answer.body.data).plan.plan_hash }
}

async function deptRule(world: World) {
  const { dept_id } = await enrolled(world)
  const draft = { scene: 1, dept_ids: [dept_id], ...(await doors(world)) }
  dataOf(deptRuleApi.add, await world.app.call(deptRuleApi.add, await planned(world, deptRuleApi.add, draft), as(world)))
  const [row] = dataOf(deptRuleApi.list, await world.app.call(deptRuleApi.list, { scene: 1, dept_id }, as(world))).list
  return { id: row?.dept_rule_id ?? '', row_version: row?.row_version ?? 0, ...(await doors(world)) }
}

async function userRule(world: World) {
  const { user_id, dept_id } = await enrolled(world)
  const draft = { scene: 1, user_ids: [user_id], mode: 1 as const, ...(await doors(world)) }
  dataOf(userRuleApi.add, await world.app.call(userRuleApi.add, await planned(world, userRuleApi.add, draft), as(world)))
  const [row] = dataOf(userRuleApi.list, await world.app.call(userRuleApi.list, { scene: 1, dept_id }, as(world))).list
  return { id: row?.user_rule_id ?? '', row_version: row?.row_version ?? 0, ...(await doors(world)) }
}

const span = ({ app }: World) => ({ begin_at: app.clock.now().toISOString(), end_at: new Date(app.clock.now().getTime() + hour_ms).toISOString(), reason: '外出办事' })

async function temporaryDraft(world: World) {
  return { person_kind: 1, effect: 1 as const, direction: 2 as const, user_ids: [(await enrolled(world)).user_id], place_ids: [await aGate(world)], reason_code: '1' as const, ...span(world) }
}
const temporary = async (world: World) => dataOf(temporaryApi.add, await world.app.call(temporaryApi.add, await temporaryDraft(world), as(world))).temporary_rule_id

async function ban(world: World): Promise<string> {
  await world.app.call(banApi.add, { user_ids: [(await enrolled(world)).user_id], ...span(world) }, as(world))
  return dataOf(banApi.list, await world.app.call(banApi.list, { person_kind: 1 }, as(world))).list[0]?.ban_id ?? ''
}

/** Somebody who waits to be confirmed for a pupil, whose guardian the caller is. */
async function pickupPerson(world: World): Promise<string> {
  const { app, school_id, me } = world
  const { user_id: student_id } = await enrolled(world)
  await app.running.database.tenant(school_id, async db => {
    await sql`insert into person (school_id, user_id, user_name, name_py, name_initials, sex)
      values (${school_id}, ${me.user_id}, '李可', 'like', 'lk', '1') on conflict do nothing`.execute(db)
    await sql`insert into parent (school_id, user_id) values (${school_id}, ${me.user_id}) on conflict do nothing`.execute(db)
    await sql`insert into guardian_link (school_id, student_user_id, parent_user_id, relation, is_guardian, valid_from)
      values (${school_id}, ${student_id}, ${me.user_id}, '51', true, '2026-09-01')`.execute(db)
  })
  return dataOf(pickupPersonApi.add, await app.call(pickupPersonApi.add, personDraft(student_id), as(world))).pickup_id
}

function personDraft(student_id: string) {
  made += 1
  return { student_id, person_name: '王奶奶', mobile: `139${String(10_000_000 + made)}`, relation: '62', valid_from: '2026-09-01' }
}

/** Something that waits in the queue. */
async function abnormal({ app, school_id }: World): Promise<string> {
  made += 1
  const { rows } = await app.running.database.tenant(school_id, db => sql<{ id: string }>`
    insert into access_abnormal (school_id, kind, subject_key, window_start, severity, evidence, raised_at)
    values (${school_id}, 10, ${`device/${made}`}, ${app.clock.now()}, 2, '{}', ${app.clock.now()}) returning abnormal_id::text as id`.execute(db))
  return rows[0]?.id ?? ''
}

export const accessCalls: ReadonlyMap<string, Builder> = new Map([
  ...accessDoorCalls,
  ...accessVisitorCalls,
  ...buildersOf(ruleApi, {
    list: () => ({ input: {} }),
    detail: async world => ({ input: { rule_id: (await aRule(world)).rule_id } }),
    days: async world => ({ input: { rule_id: (await aRule(world)).rule_id, from: '2026-09-01', to: '2026-09-07' } }),
    receipts: async world => ({ input: { rule_id: (await aRule(world)).rule_id } }),
    add: () => ({ input: ruleDraft() }),
    update: async world => {
      const { rule_id, row_version, rule_name } = await aRule(world)
      return { input: { rule_id, row_version, rule_name: `${rule_name}改`, periods: everyday } }
    },
    copy: async world => ({ input: { rule_id: (await aRule(world)).rule_id, rule_name: ruleDraft().rule_name } }),
    turn: async world => ({ input: { rule_id: (await aRule(world)).rule_id, enabled: false } }),
    remove: async world => ({ input: { rule_id: (await aRule(world)).rule_id } }),
  }),
  ...buildersOf(deptRuleApi, {
    list: async world => ({ input: { scene: 1, dept_id: (await enrolled(world)).dept_id } }),
    add: async world => ({ input: await planned(world, deptRuleApi.add, { scene: 1, dept_ids: [(await enrolled(world)).dept_id], ...(await doors(world)) }) }),
    update: async world => {
      const { id: dept_rule_id, ...rest } = await deptRule(world)
      return { input: await planned(world, deptRuleApi.update, { dept_rule_id, ...rest }) }
    },
    end: async world => ({ input: await planned(world, deptRuleApi.end, { ids: [(await deptRule(world)).id] }) }),
  }),
  ...buildersOf(userRuleApi, {
    list: async world => ({ input: { scene: 1, dept_id: (await enrolled(world)).dept_id } }),
    add: async world => ({ input: await planned(world, userRuleApi.add, { scene: 1, user_ids: [(await enrolled(world)).user_id], mode: 1 as const, ...(await doors(world)) }) }),
    update: async world => {
      const { id: user_rule_id, ...rest } = await userRule(world)
      return { input: await planned(world, userRuleApi.update, { user_rule_id, mode: 2 as const, ...rest }) }
    },
    end: async world => ({ input: await planned(world, userRuleApi.end, { ids: [(await userRule(world)).id] }) }),
  }),
  ...buildersOf(devPlaceApi, { in: () => ({ input: {} }), out: () => ({ input: {} }) }),
  ...buildersOf(pickupModeApi, { read: () => ({ input: {} }), write: () => ({ input: { list: [{ grade: '11', mode: 1 as const }] } }) }),
  ...buildersOf(pickupApi, {
    list: () => ({ input: {} }),
    release: async world => ({ input: { student_id: (await enrolled(world)).user_id, place_id: await aGate(world), reason: '家长手机没电' } }),
  }),
  ...buildersOf(pickupPersonApi, {
    list: () => ({ input: {} }),
    export: () => ({ input: {} }),
    add: async world => ({ input: personDraft((await enrolled(world)).user_id) }),
    confirm: async world => ({ input: { ids: [await pickupPerson(world)], reason: '监护人书面确认' } }),
    stop: async world => ({ input: { ids: [await pickupPerson(world)], reason: '不再接送' } }),
  }),
  ...buildersOf(myPickupApi, {
    list: () => ({ input: {} }),
    answer: async world => ({ input: { pickup_id: await pickupPerson(world), agreed: true } }),
  }),
  ...buildersOf(abnormalApi, {
    list: () => ({ input: {} }),
    export: () => ({ input: {} }),
    count: () => ({ input: {} }),
    handle: async world => ({ input: { ids: [await abnormal(world)], state: 3 as const, note: '已核实并处置' } }),
  }),
  ...buildersOf(explainApi, { read: async world => ({ input: { user_id: (await enrolled(world)).user_id, place_id: await aGate(world), direction: 2 } }) }),
  ...buildersOf(temporaryApi, {
    list: () => ({ input: { person_kind: 1 } }),
    receipts: async world => ({ input: { temporary_rule_id: await temporary(world) } }),
    add: async world => ({ input: await temporaryDraft(world) }),
    update: async world => ({ input: { temporary_rule_id: await temporary(world), row_version: 1, end_at: new Date(world.app.clock.now().getTime() + 2 * hour_ms).toISOString(), reason: '延长时间' } }),
    revoke: async world => ({ input: { ids: [await temporary(world)], reason: '不再需要' } }),
  }),
  ...buildersOf(banApi, {
    list: () => ({ input: { person_kind: 1 } }),
    add: async world => ({ input: { user_ids: [(await enrolled(world)).user_id], place_id: await aGate(world), ...span(world) } }),
    lift: async world => ({ input: { ids: [await ban(world)], reason: '已处理' } }),
  }),
])
