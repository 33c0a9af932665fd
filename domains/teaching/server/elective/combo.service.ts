import { allCombos, comboCode, comboName, electiveErrors, parseCombo } from '@campus/teaching/contract'
import type { Combo, seatApi } from '@campus/teaching/contract'
import { addDays } from '@campus/calendar/contract'
import { schoolDay } from '@campus/school/server'
import { deptScope, inScope } from '@campus/people/server'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { nameHas, nameKeyOf } from '@kit/server/db'
import { sql } from 'kysely'
import type { TeachingCtx } from '../db.ts'

type Choice = { student_id: string; combo: Combo; from: string; task_id: string | null; reason: string }

/** A pupil's three subjects from a day on; what he had ends there. @throws Refusal 422 comboPast when he has others that begin later */
export async function setCombo({ db, school_id }: Pick<TeachingCtx, 'db' | 'school_id'>,
  { student_id, combo, from, task_id, reason }: Choice): Promise<void> {
  const known = await db.selectFrom('student_combo').select(['valid_from', 'valid_to']).where('school_id', '=', school_id)
    .where('student_id', '=', student_id).orderBy('valid_from', 'desc').limit(1).forUpdate().executeTakeFirst()
  if (known && known.valid_from > from) throw fail(electiveErrors.comboPast,
    { errors: [{ field: 'from', msg: electiveErrors.comboPast.msg }] })
  const values = { first: combo.first, second: [...combo.second], task_id, reason }
  const own = db.updateTable('student_combo').where('school_id', '=', school_id).where('student_id', '=', student_id)
  if (known && known.valid_from === from) {
    await own.set({ ...values, valid_to: null }).where('valid_from', '=', from).execute()
    return
  }
  if (known && (known.valid_to === null || known.valid_to > from)) await own.set({ valid_to: from })
    .where('valid_from', '=', known.valid_from).execute()
  await db.insertInto('student_combo').values({ ...values, school_id, student_id, valid_from: from }).execute()
}

/** 改选 by hand. @throws Refusal 404, 422 badCombo, comboPast */
export async function saveCombo(ctx: TeachingCtx,
  { student_id, combo, from, reason }: Input<typeof seatApi.saveCombo>): Promise<Record<string, never>> {
  const { db, school_id } = ctx
  const scope = await deptScope(ctx, 'student')
  const pupil = await db.selectFrom('live_student').select('user_name').where('school_id', '=', school_id).where('user_id', '=', student_id)
    .where(inScope('dept_id', scope)).executeTakeFirst()
  if (!pupil) throw fail(commonErrors.notFound)
  const parsed = parseCombo(combo)
  if (!parsed) throw fail(electiveErrors.badCombo, { errors: [{ field: 'combo', msg: electiveErrors.badCombo.msg }] })
  await setCombo(ctx, { student_id, combo: parsed, from, task_id: null, reason })
  ctx.note({ target_kind: 'teaching.seat', target_id: student_id, target_name: `${pupil.user_name} ${comboName(comboCode(parsed))}` })
  return {}
}

/** Pupils with their three subjects of today, and how many have each of the twelve. */
export async function listCombos(ctx: TeachingCtx,
  { page_index, page_size, keyword, combo, dept_id }: Input<typeof seatApi.combos>): Promise<Reply<typeof seatApi.combos>> {
  const { db, school_id, now } = ctx
  if (dept_id !== undefined) await requireDept(db, school_id, dept_id)
  const scope = await deptScope(ctx, 'student')
  const today = schoolDay(now)
  const coded = sql<string>`c.first || ',' || array_to_string(c.second, ',')`
  const which = db.selectFrom('student_combo as c')
    .innerJoin('live_student as l', on => on.onRef('l.user_id', '=', 'c.student_id').on('l.school_id', '=', school_id))
    .where('c.school_id', '=', school_id)
      .where(sql<boolean>`(c.valid_to is null or c.valid_to > ${today}::date) and c.valid_from <= ${addDays(today, 366)}::date`)
      .where(inScope('l.dept_id', scope))
    .$if(keyword !== undefined, query => query
      .where(eb => eb.or([nameHas(nameKeyOf('l.user_name'), keyword ?? ''), sql<boolean>`starts_with(l.student_no, ${keyword ?? ''})`])))
    .$if(dept_id !== undefined, query => query.where('l.dept_id', '=', dept_id ?? ''))
  const counts = await which.select([coded.as('combo'), eb => eb.fn.countAll<number>().as('count')]).groupBy(['c.first', 'c.second'])
    .execute()
  const asked = which.$if(combo !== undefined, query => query.where(coded, '=', combo ?? ''))
  const rows = await asked
    .select(['l.user_id', 'l.student_no', 'l.user_name', 'l.dept_name', 'c.valid_from', 'c.reason', coded.as('combo')])
    .orderBy('l.student_no').orderBy('c.valid_from').limit(page_size).offset((page_index - 1) * page_size).execute()
  const { total } = await asked.select(eb => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  return {
    list: rows.map(({ user_id, ...row }) => ({ ...row, key: `${user_id} ${row.valid_from}`, student_id: user_id,
      combo_name: comboName(row.combo) })), total: Number(total),
    counts: allCombos().map(code => ({ combo: code, name: comboName(code),
      count: Number(counts.find(one => one.combo === code)?.count ?? 0) })),
  }
}

async function requireDept(db: TeachingCtx['db'], school_id: number, dept_id: string): Promise<void> {
  const dept = await db.selectFrom('dept_now').select('id').where('school_id', '=', school_id).where('id', '=', dept_id).executeTakeFirst()
  if (!dept) throw fail(commonErrors.notFound)
}
