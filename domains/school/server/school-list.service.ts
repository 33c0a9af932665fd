import type { schoolManageApi, SchoolListRow } from '@campus/school/contract'
import type { Input, Reply } from '@kit/contract'
import type { Pre } from '@kit/server/http'
import type { SchoolDb } from './db.ts'
import { storedBytes } from './folder-size.ts'
import { pageRegistry } from './registry.queries.ts'
import { findSchool } from './school.queries.ts'
import { schoolKeeperPort } from './school-keeper.ts'

type Line = Awaited<ReturnType<typeof pageRegistry>>['list'][number]
type Desk = Pick<Pre, 'app' | 'own' | 'now'>
const parallel_schools = 8

/** One page of the schools of the installation: the lines from the registry, who is there from each school in a short transaction of its own. */
export async function listSchools(pre: Desk, query: Input<typeof schoolManageApi.page>): Promise<Reply<typeof schoolManageApi.page>> {
  const { list: lines, total } = await pre.own<SchoolDb, Awaited<ReturnType<typeof pageRegistry>>>(0, db => pageRegistry(db, query))
  const list: SchoolListRow[] = []
  for (let at = 0; at < lines.length; at += parallel_schools) {
    list.push(...(await Promise.all(lines.slice(at, at + parallel_schools).map(line => openLine(pre, line)))))
  }
  return { list, total }
}

async function openLine(pre: Desk, { state_at, ...line }: Line): Promise<SchoolListRow> {
  const { school_id } = line
  const inside = await pre.own<SchoolDb, Pick<SchoolListRow, 'people' | 'online' | 'last_login_at' | 'row_version'>>(school_id, async db => {
    const school = await findSchool(db, school_id)
    const { last_login_at, ...use } = await schoolKeeperPort.one(pre.app).use(db, school_id, pre.now)
    return { ...use, last_login_at: last_login_at?.toISOString() ?? null, row_version: school?.row_version ?? 0 }
  })
  return { ...line, ...inside, state_at: state_at.toISOString(), storage_bytes: await storedBytes(pre.app, school_id) }
}
