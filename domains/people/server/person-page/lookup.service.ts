import type { personLookupApi } from '@campus/people/contract'
import type { Input, Reply } from '@kit/contract'
import { maskIdNo, nameKey, numberKey } from '@kit/contract/checks'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { isIn, validOn } from '../dated.ts'
import { schoolDay } from '../day.ts'
import type { PeopleCtx } from '../db.ts'
import { labelsOn } from '../dept.service.ts'
import { indexIdNo } from '../id-number.ts'
import { deptScope, inScope } from '../scope.ts'

type Asked = Input<typeof personLookupApi.number>
type Found = Reply<typeof personLookupApi.number>
type Hit = { key: string; user_id: string; user_name: string; user_no: string; dept_id: string | null }
/** `column` of `live` or `person` is compared with what `form` makes of a key; `shown` is the key in the answer. */
type Way = { column: RawBuilder<unknown>; form: (key: string) => string; shown: (key: string) => string }

const same = (key: string) => key
const live = { student: { view: 'live_student', number: 'student_no', dept: 'dept_id', tree: 'student' }, teacher: { view: 'live_staff', number: 'teacher_no', dept: 'primary_dept_id', tree: 'staff' } } as const

export const byNumber = (ctx: PeopleCtx, asked: Asked): Promise<Found> => lookUp(ctx, asked, { column: sql`lower(${sql.ref(`l.${live[asked.kind].number}`)})`, form: numberKey, shown: same })

export const byName = (ctx: PeopleCtx, asked: Asked): Promise<Found> => lookUp(ctx, asked, { column: sql`p.name_key`, form: nameKey, shown: same })

/** A pupil's own mobile, or his contact number. */
export const byPhone = (ctx: PeopleCtx, asked: Asked): Promise<Found> => lookUp(ctx, asked, { column: asked.kind === 'student' ? sql`coalesce(p.mobile, p.tel)` : sql`p.mobile`, form: same, shown: same })

/** Identity numbers are compared by their HMAC and answered masked. */
export const byIdentity = (ctx: PeopleCtx, asked: Asked): Promise<Found> =>
  lookUp(ctx, asked, { column: sql`encode(p.id_no_idx, 'hex')`, form: key => indexIdNo(ctx.app.secrets, key).toString('hex'), shown: maskIdNo })

async function lookUp(ctx: PeopleCtx, { kind, keys }: Asked, { column, form, shown }: Way): Promise<Found> {
  const { db, school_id, now } = ctx
  const today = schoolDay(now)
  const { view, number, dept, tree } = live[kind]
  const scope = await deptScope(ctx, tree, today)
  const asked = [...new Set(keys)]
  const members = sql`select m.user_id from dept_member m where m.school_id = ${school_id} and m.member_kind = ${tree} and ${validOn('m', today)} and ${inScope('m.dept_id', scope)}`
  const { rows } = await sql<Hit>`
    select k.key, l.user_id, l.user_name, ${sql.ref(`l.${number}`)} as user_no, ${sql.ref(`l.${dept}`)} as dept_id
    from (select unnest(${asked}::text[]) as key, unnest(${asked.map(form)}::text[]) as form) k
    join (${sql.table(view)} l join person p on p.school_id = l.school_id and p.user_id = l.user_id) on ${column} = k.form
    where l.school_id = ${school_id} and p.school_id = ${school_id} and ${scope === 'all' ? sql`true` : isIn('l.user_id', members)}
    order by l.user_id`.execute(db)
  ctx.note({ after: { kind, keys: asked.length } })
  const labels = await labelsOn(ctx, rows.flatMap(row => row.dept_id ?? []), today)
  const by_key = Map.groupBy(rows, row => row.key)
  const matches = [...by_key.values()].flatMap(found => (found.length === 1 ? found : [])).map(({ dept_id, key, ...row }) => ({ ...row, key: shown(key), label: labels.get(dept_id ?? '') ?? '' }))
  return {
    matches,
    ambiguous: asked.filter(key => (by_key.get(key)?.length ?? 0) > 1).map(shown),
    not_available: asked.filter(key => !by_key.has(key)).map(shown),
  }
}
