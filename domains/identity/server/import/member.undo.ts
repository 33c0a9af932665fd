import { identityEvents } from '@campus/identity/contract'
import type { ApplyStep, ImportUndo, UndoRow } from '@kit/server/excel'
import { publish } from '@kit/server/event'
import { sql } from 'kysely'
import type { IdentityDb } from '../db.ts'
import { endActing } from '../member.acting.ts'
import { keepAdministered } from '../role.access.ts'
import { revokeIdentities } from '../role.sessions.ts'
import { imageOf, markedMember, memberMark, memberMarks } from './member.marks.ts'

type Step = ApplyStep<IdentityDb>

/** Taking an import back: memberships it made end now, those it changed have their days and notes again (chapter 10 §6). */
export const memberUndo: ImportUndo<IdentityDb> = {
  marks: (step, keys, lock) => memberMarks(step, keys.map(markedMember), lock),
  reason: () => '成员关系在导入后已变动',
  undo: (step, rows, kept) => {
    const free = rows.filter(({ target_id }) => !kept.has(memberMark(target_id)))
    return keepAdministered(step, async () => {
      const holders = await holdersOf(step, free.map(({ target_id }) => target_id))
      await restore(step, free)
      await endMade(step, free.flatMap(({ target_id, before }) => (imageOf(before) === 'made' ? [target_id] : [])))
      await endActing(step, holders, step.me.user_id)
    })
  },
}

async function holdersOf({ db, school_id }: Step, role_nos: readonly string[]): Promise<string[]> {
  const rows = await db.selectFrom('role_member').select('user_id').where('school_id', '=', school_id).where(sql<boolean>`role_no = any(${[...role_nos]}::bigint[])`).execute()
  return rows.map(row => row.user_id)
}

async function restore({ db, school_id, me, now }: Step, rows: readonly UndoRow[]): Promise<void> {
  for (const { target_id, before } of rows) {
    const image = imageOf(before)
    if (image === null || image === 'made') continue
    const { valid_from, valid_to, reason } = image
    await db
      .updateTable('role_member')
      .set(eb => ({ valid_from, valid_to, reason, updated_at: now, updated_by: me.user_id, row_version: eb('row_version', '+', 1) }))
      .where('school_id', '=', school_id)
      .where('role_no', '=', target_id)
      .execute()
  }
}

/** One that has not begun is taken away. */
async function endMade(step: Step, role_nos: readonly string[]): Promise<void> {
  const { db, school_id, me, now } = step
  const made = await db
    .selectFrom('role_member')
    .select(['role_no', 'role_id', 'user_id', 'valid_from'])
    .where('school_id', '=', school_id)
    .where(sql<boolean>`role_no = any(${[...role_nos]}::bigint[])`)
    .where(eb => eb.or([eb('valid_to', 'is', null), eb('valid_to', '>', now)]))
    .execute()
  if (made.length === 0) return
  const among = (begun: boolean) => sql<boolean>`role_no = any(${made.filter(one => one.valid_from < now === begun).map(one => one.role_no)}::bigint[])`
  await db
    .updateTable('role_member')
    .set(eb => ({ valid_to: now, updated_at: now, updated_by: me.user_id, row_version: eb('row_version', '+', 1) }))
    .where('school_id', '=', school_id)
    .where(among(true))
    .execute()
  await db.deleteFrom('role_member').where('school_id', '=', school_id).where(among(false)).execute()
  await revokeIdentities(step, made.map(one => one.role_no))
  await publish(step, identityEvents.memberEnded, { members: made.map(({ role_no, role_id, user_id }) => ({ role_no, role_id, user_id })) })
}
