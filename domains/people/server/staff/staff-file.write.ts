import type { ArchiveChange } from '@campus/audit/server'
import { ensureUsers } from '@campus/identity/server'
import { staff_props, staff_registry } from '@campus/people/contract'
import { sql } from 'kysely'
import type { PeopleCtx } from '../db.ts'
import { journalActs } from '../delegate/acted.ts'
import { sealIdNo } from '../id-number.ts'
import { nameIndex } from '../name-index.ts'
import { tellFiles } from '../told.ts'
import type { StaffSaid } from './staff-file.values.ts'

const ops = { create: 3, update: 4 } as const
type Journalled = { user_id: string; teacher_no: string; user_name: string; dept_id: string | null; dept_name: string | null; command_id?: string; source?: 'typed' | 'collect' }

/** Writes changed columns of person and staff; the person's version counts up. */
export async function writeStaff({ db, school_id, app, me, now }: Pick<PeopleCtx, 'db' | 'school_id' | 'app' | 'me' | 'now'>, user_id: string, values: StaffSaid): Promise<void> {
  const { id_no, user_name } = values
  const sealed = id_no ? sealIdNo(app.secrets, school_id, id_no) : { id_no_enc: null, id_no_idx: null, id_no_mask: null }
  const said = (home: 'person' | 'staff') => Object.fromEntries(staff_props.filter(prop => prop !== 'id_no' && staff_registry[prop].home === home && values[prop] !== undefined).map(prop => [prop, values[prop]]))
  await db
    .updateTable('person')
    .set({ ...said('person'), ...(user_name ? nameIndex(user_name) : {}), ...(id_no === undefined ? {} : sealed), updated_at: now, updated_by: me.user_id, row_version: sql<number>`row_version + 1` })
    .where('school_id', '=', school_id)
    .where('user_id', '=', user_id)
    .execute()
  const own = said('staff')
  if (Object.keys(own).length > 0) await db.updateTable('staff').set(own).where('school_id', '=', school_id).where('user_id', '=', user_id).execute()
}

/** Keeps identity's display copy of a member of staff as the file says. */
export async function copyToIdentity({ db, school_id }: Pick<PeopleCtx, 'db' | 'school_id'>, user_id: string, { school_type }: { school_type: number }): Promise<void> {
  const row = await db
    .selectFrom('staff as s')
    .innerJoin('person as p', join => join.onRef('p.school_id', '=', 's.school_id').onRef('p.user_id', '=', 's.user_id'))
    .select(['s.teacher_no', 's.kind', 'p.user_name', 'p.photo_file_key'])
    .where('s.school_id', '=', school_id)
    .where('p.school_id', '=', school_id)
    .where('s.user_id', '=', user_id)
    .executeTakeFirstOrThrow()
  await ensureUsers(db, school_id, [{ user_id, user_no: row.teacher_no, user_name: row.user_name, user_kind: kindOf(school_type, row.kind), user_photo: row.photo_file_key }])
}

/** PERSON_KIND of staff: 2, in enterprises 6, hired from outside 7. */
export function kindOf(school_type: number, kind: string): 2 | 6 | 7 {
  if (school_type === 1) return 2
  return kind.startsWith('5') ? 7 : 6
}

export async function schoolType({ db, school_id }: Pick<PeopleCtx, 'db' | 'school_id'>): Promise<number> {
  return (await db.selectFrom('school_v').select('school_type').where('school_id', '=', school_id).executeTakeFirstOrThrow()).school_type
}

/** One archive row and the target of the operation line. */
export async function journalStaff(ctx: PeopleCtx, op: keyof typeof ops, who: Journalled, changes: readonly ArchiveChange[]): Promise<void> {
  const { user_id, teacher_no, user_name, dept_id, dept_name, command_id, source = 'typed' as const } = who
  const row = {
    op_type: ops[op], source, command_id, person_kind: 2, person_id: user_id, person_no: teacher_no, person_name: user_name,
    dept_id: dept_id ?? undefined, dept_name: dept_name ?? undefined, changes,
  }
  await journalActs(ctx, [row])
  await tellFiles(ctx, [row])
  const side = (which: 'before' | 'after') => Object.fromEntries(changes.map(change => [change.field, change[which]]))
  ctx.note({ target_kind: 'people.staff', target_id: user_id, target_name: user_name, before: side('before'), after: side('after') })
}
