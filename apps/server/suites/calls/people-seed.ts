import { exportColumnApi, guardianLinkApi, parentApi, peopleTreeApi, rollColumnApi, studentFileApi, studentTemplateApi, syncApi } from '@campus/people/contract'
import { buildZip } from '@kit/server/testing'
import { dataOf } from '../../testing/index.ts'
import { buildersOf } from '../world.ts'
import type { Builder, World } from '../world.ts'
import { enrolled } from './people.ts'

let made = 0

/** A pupil of senior school with one guardian, who may therefore go. */
async function linked(world: World): Promise<{ student_user_id: string; parent_user_id: string }> {
  made += 1
  const { app, me, school_id } = world
  const { dept_id } = await enrolled(world)
  const mobile = `1690090${school_id % 10}${String(made).padStart(3, '0')}`
  const draft = { dept_id, user_name: '钱小禾', sex: '2', student_no: `L${school_id}-${made}`, parents: [{ user_name: '钱大禾', mobile, relation: '51' }] }
  const { user_id } = dataOf(studentFileApi.create, await app.call(studentFileApi.create, draft, { token: me.token }))
  const { list } = dataOf(parentApi.list, await app.call(parentApi.list, { keyword: mobile }, { token: me.token }))
  return { student_user_id: user_id, parent_user_id: list[0]?.user_id ?? '' }
}

const heads = { orgs: 'sourcedId,status,name,type', users: 'sourcedId,status,familyName,role' }

/** A roster of one file with one row. */
function roster(file: keyof typeof heads, row: string) {
  return { name: '名册.zip', body: new Uint8Array(buildZip([{ name: `${file}.csv`, content: `${heads[file]}\n${row}\n` }])) }
}

const lines = [{ prop: 'user_name', label: '姓名', checked: true, default_action: true }]

export const peopleSeedCalls: ReadonlyMap<string, Builder> = new Map([
  ...buildersOf(guardianLinkApi, { remove: async world => ({ input: await linked(world) }) }),
  ...buildersOf(rollColumnApi, { read: () => ({ input: { field_scene: 1 } }), save: () => ({ input: { field_scene: 1, list: lines } }) }),
  ...buildersOf(exportColumnApi, {
    student: () => ({ input: {} }),
    staff: () => ({ input: {} }),
    parent: () => ({ input: {} }),
    remember: () => ({ input: { list: 'student' as const, fields: ['user_name'] } }),
  }),
  ...buildersOf(peopleTreeApi, { level: world => ({ input: { parent_id: world.ids.dept } }) }),
  ...buildersOf(syncApi, {
    dept: () => ({ input: {}, file: roster('orgs', 'o1,active,德育处,department') }),
    user: () => ({ input: {}, file: roster('users', 't1,active,陈,teacher') }),
    logs: () => ({ input: {} }),
  }),
  ...buildersOf(studentTemplateApi, { student: () => ({ input: {} }) }),
])
