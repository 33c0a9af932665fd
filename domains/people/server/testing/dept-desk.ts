import { dataOf, startTestApp } from '@apps/server/testing'
import type { Answer, TestApp, TestUser } from '@apps/server/testing'
import { deptApi, deptEditApi } from '@campus/people/contract'
import type { DeptFile } from '@campus/people/contract'
import type { Request } from '@kit/contract'
import { addDays, schoolDay } from '../day.ts'
import type { PeopleDb } from '../db.ts'
import { buildSmallSchool } from '../people.builders.ts'
import type { SmallSchool } from '../people.builders.ts'

export type Draft = Omit<Request<typeof deptEditApi.add>, 'school_id' | 'parent_id'>
type Patch = Omit<Request<typeof deptEditApi.update>, 'school_id' | 'id'>
type Removal = Omit<Request<typeof deptEditApi.remove>, 'school_id' | 'id'>
type School = SmallSchool & { root: string }

const codes = ['people.dept.view', 'people.dept.edit', 'people.student.view']
const school_id = 1001

/** A server with two small schools, and somebody of the first who edits its departments; the calls as he makes them. */
export async function openDesk() {
  const app = await startTestApp()
  const school = await smallSchool(app, school_id)
  const foreign = await smallSchool(app, 1002)
  const registrar = await app.as({ school_id, codes })
  const today = schoolDay(app.clock.now())
  return { app, school, foreign, registrar, codes, today, day: (n: number) => addDays(today, n), ...callsOf(app, registrar) }
}
export type DeptDesk = Awaited<ReturnType<typeof openDesk>>

function callsOf(app: TestApp, registrar: TestUser) {
  const add = (parent_id: string, draft: Draft, who = registrar) => app.call(deptEditApi.add, { school_id, parent_id, ...draft }, { token: who.token })
  const file = async (id: string, who = registrar): Promise<DeptFile> => dataOf(deptEditApi.detail, await app.call(deptEditApi.detail, { school_id, id }, { token: who.token }))
  return {
    add,
    file,
    /** a department that is there afterwards; its id */
    opened: async (parent_id: string, draft: Draft): Promise<string> => dataOf(deptEditApi.add, await add(parent_id, draft)).id,
    update: (id: string, patch: Patch, who = registrar) => app.call(deptEditApi.update, { school_id, id, ...patch }, { token: who.token }),
    remove: (id: string, how: Removal, who = registrar) => app.call(deptEditApi.remove, { school_id, id, ...how }, { token: who.token }),
    keepOpen: (id: string, row_version: number, who = registrar) => app.call(deptEditApi.keepOpen, { school_id, id, row_version }, { token: who.token }),
    reorder: (id: string, index: number, who = registrar) => app.call(deptEditApi.reorder, { school_id, id, index }, { token: who.token }),
    below: (parent_id: string, on?: string) => namesBelow(app, registrar, { tree: 'student', parent_id, on }),
    officesBelow: (parent_id: string, on?: string) => namesBelow(app, registrar, { tree: 'staff', parent_id, on }),
    paths: async (id: string): Promise<string[]> => (await file(id)).versions.map(version => version.pt_node_path_name),
    board: async (on?: string, who = registrar) => dataOf(deptEditApi.treeByGrade, await app.call(deptEditApi.treeByGrade, { on }, { token: who.token })).list,
  }
}

/** Names below a department on a day, as the tree shows them. */
async function namesBelow(app: TestApp, who: TestUser, query: Request<typeof deptApi.lazyTree>): Promise<string[]> {
  return dataOf(deptApi.lazyTree, await app.call(deptApi.lazyTree, query, { token: who.token })).list.map(node => node.dept_name)
}

/** Status and sentence of an answer. */
export function told({ status, body }: Answer): [number, string] {
  return [status, body.msg]
}

async function smallSchool(app: TestApp, id: number): Promise<School> {
  const { app: running, database } = app.running
  return database.tenant<PeopleDb, School>(id, async db => {
    const root = await db.selectFrom('dept_now').select('id').where('school_id', '=', id).executeTakeFirstOrThrow()
    return { ...(await buildSmallSchool(db, running.secrets, id, root.id)), root: root.id }
  })
}
