import { archive } from '@campus/audit/server'
import { peopleErrors } from '@campus/people/contract'
import type { ParentFile, parentFileApi } from '@campus/people/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { sql } from 'kysely'
import { schoolDay } from './day.ts'
import type { PeopleCtx } from './db.ts'
import { operatorOf } from './operator.ts'
import { childrenOf, parentsOf } from './parent.queries.ts'
import { parentRows } from './parent.service.ts'
import { deptScope } from './scope.ts'
import { plateTroubles } from './staff/extras.ts'
import { lockPeople } from './student-file.queries.ts'
import { refuseTroubles } from './student-file.trouble.ts'
import { platesOf, setPlates } from './vehicle/plates.ts'

const update_op = 4
const parent_kind = 3

/** One guardian of a pupil whom the reader sees. @throws Refusal 404 for anybody else */
export async function readParent(ctx: PeopleCtx, { id }: Input<typeof parentFileApi.detail>): Promise<ParentFile> {
  const { db, school_id } = ctx
  const on = schoolDay(ctx.now)
  const filter = { school_id, on, scope: await deptScope(ctx, 'student', on) }
  const [row] = (await childrenOf(db, filter, [id])).length > 0 ? await parentRows(ctx, filter, await parentsOf(db, school_id, [id])) : []
  if (!row) throw fail(commonErrors.notFound)
  const facet = await db.selectFrom('parent').select(['work', 'edu']).where('school_id', '=', school_id).where('user_id', '=', id).executeTakeFirst()
  return { ...row, work: facet?.work ?? null, edu: facet?.edu ?? null, plates: (await platesOf(db, { school_id, on }, [id])).get(id) ?? [] }
}

/** Brings the plates of a guardian to these from today on. @throws Refusal 404, 409 staleRow, plateTaken */
export async function setParentPlates(ctx: PeopleCtx, { id, row_version, plates }: Input<typeof parentFileApi.plates>): Promise<Reply<typeof parentFileApi.plates>> {
  const { db, school_id, me, now } = ctx
  const on = schoolDay(now)
  await lockPeople(db, school_id, [id])
  const known = await readParent(ctx, { id })
  if (known.row_version !== row_version) throw fail(peopleErrors.staleRow)
  refuseTroubles(await plateTroubles(ctx, { plates }, id, on))
  const [before, after] = [known.plates.toSorted().join('；'), plates.toSorted().join('；')]
  if (before === after) return { row_version }
  await setPlates(db, { school_id, on }, new Map([[id, plates]]))
  await db.updateTable('person').set({ row_version: sql<number>`row_version + 1`, updated_at: now, updated_by: me.user_id }).where('school_id', '=', school_id).where('user_id', '=', id).execute()
  const changes = [{ field: 'plates', label: '车牌号', before: before || null, after: after || null }]
  await archive(db, operatorOf(ctx), [{ op_type: update_op, source: 'typed', person_kind: parent_kind, person_id: id, person_name: known.user_name, changes }])
  ctx.note({ target_kind: 'people.parent', target_id: id, target_name: known.user_name, before: { plates: before }, after: { plates: after } })
  return { row_version: row_version + 1 }
}
