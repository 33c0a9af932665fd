import { staffFileApi } from '@campus/people/contract'
import { createDepts } from '@campus/people/server'
import { placeApi } from '@campus/places/contract'
import { dataOf } from '../../testing/index.ts'
import { buildersOf } from '../world.ts'
import type { Builder, World } from '../world.ts'

type PeopleHandle = Parameters<typeof createDepts>[0]
let made = 0

async function campus(world: World): Promise<string> {
  const { list } = dataOf(placeApi.tree, await world.app.call(placeApi.tree, { lazy: '1' }, { token: world.me.token }))
  return list[0]?.place_id ?? ''
}

/** A room of its own below the campus, with its version. */
async function room(world: World) {
  made += 1
  const draft = { superior_id: await campus(world), place_name: `教室${made}`, place_kind: 4 }
  return dataOf(placeApi.create, await world.app.call(placeApi.create, draft, { token: world.me.token })).place
}

/** A class of its own. */
async function aClass({ app, school_id, ids }: World): Promise<string> {
  made += 1
  const cohort = { tree: 'student' as const, grade: '31', enrol_year: 2026, stage: '3' }
  const depts = await app.running.database.tenant(school_id, (db: PeopleHandle) =>
    createDepts(db, school_id, [
      { key: 'grade', parent: ids.dept ?? '', dept_name: `场所年级${made}`, dept_type: 3, ...cohort },
      { key: 'class', parent: 'grade', dept_name: `场所班级${made}`, dept_type: 4, class_no: 1, ...cohort },
    ], '2026-09-01'))
  return depts.get('class') ?? ''
}

async function aTeacher({ app, school_id, me, ids }: World): Promise<string> {
  made += 1
  const depts = await app.running.database.tenant(school_id, (db: PeopleHandle) =>
    createDepts(db, school_id, [{ key: 'office', parent: ids.dept ?? '', dept_name: `场所办公室${made}`, dept_type: 5, tree: 'staff' as const }], '2026-09-01'))
  const draft = { user_name: '孙小楼', sex: '1', kind: '11', join_month: '202609', teacher_no: `PL${school_id}x${made}`, mobile: `1691300${String(made).padStart(4, '0')}`, depts: [{ dept_id: depts.get('office') ?? '' }] }
  return dataOf(staffFileApi.create, await app.call(staffFileApi.create, draft, { token: me.token })).user_id
}

const generator = async (world: World) => {
  made += 1
  return { superior_id: await campus(world), building_name: `楼${made}`, floors: 1, per_floor: 2, room_kind: 4, name_pattern: '{floor}{nn}' }
}
const day = '2026-11-20'

export const placesCalls: ReadonlyMap<string, Builder> = new Map(buildersOf(placeApi, {
  tree: async world => ({ input: { superior_id: await campus(world) } }),
  list: async world => ({ input: { superior_id: await campus(world) } }),
  export: async world => ({ input: { superior_id: await campus(world) } }),
  addable: () => ({ input: { purpose: 'class' as const } }),
  history: async world => ({ input: { id: (await room(world)).place_id } }),
  closing: async world => ({ input: { id: (await room(world)).place_id } }),
  detail: async world => ({ input: { id: (await room(world)).place_id } }),
  create: async world => {
    made += 1
    return { input: { superior_id: await campus(world), place_name: `新教室${made}`, place_kind: 4 } }
  },
  update: async world => {
    const { place_id, row_version } = await room(world)
    return { input: { id: place_id, row_version, capacity: 45 } }
  },
  remove: async world => {
    const { place_id, row_version } = await room(world)
    return { input: { id: place_id, row_version } }
  },
  reopen: async world => {
    const { place_id, row_version } = await room(world)
    const { place } = dataOf(placeApi.remove, await world.app.call(placeApi.remove, { id: place_id, row_version }, { token: world.me.token }))
    return { input: { place_id, row_version: place.row_version } }
  },
  preview: async world => ({ input: await generator(world) }),
  batch: async world => ({ input: await generator(world) }),
  move: async world => {
    const [{ place_id, row_version }, superior] = [await room(world), await room(world)]
    return { input: { place_id, row_version, superior_id: superior.place_id } }
  },
  order: async world => ({ input: { place_id: (await room(world)).place_id, order: 1 } }),
  home: async world => ({ input: { id: (await room(world)).place_id, dept_id: await aClass(world), from: day } }),
  homes: async world => ({ input: { pairs: [{ place_id: (await room(world)).place_id, dept_id: await aClass(world) }], from: day } }),
  managers: async world => ({ input: { id: (await room(world)).place_id, user_ids: [await aTeacher(world)] } }),
}))
