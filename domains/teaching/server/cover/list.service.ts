import type { changeApi } from '@campus/teaching/contract'
import type { Input, Reply } from '@kit/contract'
import { nameHas, nameKeyOf } from '@kit/server/db'
import { sql } from 'kysely'
import type { TeachingCtx } from '../db.ts'

/** Orders with their first lesson, the latest first. */
export async function listChanges({ db, school_id, now }: TeachingCtx,
  asked: Input<typeof changeApi.list>): Promise<Reply<typeof changeApi.list>> {
  const { page_index, page_size, keyword, kind, state, from, to } = asked
  const label = (column: 'i.from_teacher_id' | 'i.to_teacher_id' | 'o.applied_by') =>
    sql<string>`coalesce((select p.display_name from person_label p where p.school_id = ${school_id} and p.user_id = ${sql.ref(column)}), '')`
  const shown = sql<number>`case when o.state in (3, 5) and d.begin_at <= ${now}::timestamptz then 7 else o.state end::int`
  const which = db.selectFrom('change_order as o')
    .innerJoin('change_item as i', on => on.onRef('i.order_id', '=', 'o.id').on('i.school_id', '=', school_id).on('i.item_no', '=', 1))
    .leftJoin('lesson_day as d', on => on.onRef('d.lesson_day_id', '=', 'i.lesson_day_id').onRef('d.date', '=', 'i.date')
      .on('d.school_id', '=', school_id))
    .leftJoin('teaching_class as c', on => on.onRef('c.id', '=', 'd.class_id').on('c.school_id', '=', school_id))
      .leftJoin('course as k', on => on.onRef('k.id', '=', 'd.course_id').on('k.school_id', '=', school_id))
    .where('o.school_id', '=', school_id).$if(kind !== undefined, query => query.where('o.kind', '=', Number(kind)))
      .$if(state !== undefined, query => query.where(shown, '=', Number(state)))
    .$if(from !== undefined, query => query.where('i.date', '>=', from ?? ''))
      .$if(to !== undefined, query => query.where('i.date', '<=', to ?? ''))
    .$if(keyword !== undefined, query => query
      .where(sql<boolean>`(starts_with(o.order_no, ${keyword ?? ''}) or position(${keyword ?? ''} in ${label('i.from_teacher_id')}) > 0 or position(${keyword ?? ''} in ${label('i.to_teacher_id')}) > 0)`))
  const rows = await which
    .select(['o.id', 'o.order_no', 'o.kind', shown.as('state'), 'i.date', 'd.section', 'd.begin_at', 'c.name as class_name',
      'k.course_name',
    'o.reason', 'o.applied_at'])
    .select([label('i.from_teacher_id').as('from_name'), label('i.to_teacher_id').as('to_name'), label('o.applied_by').as('by_name')])
    .orderBy('o.applied_at', 'desc').orderBy('o.id', 'desc').limit(page_size).offset((page_index - 1) * page_size).execute()
  const { total } = await which.select(eb => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  const list = rows.map(({ begin_at, section, class_name, course_name, applied_at, ...row }) => ({
    ...row, section: section ?? 0, class_name: class_name ?? '', course_name: course_name ?? '', applied_at: applied_at.toISOString(),
      may_undo: [1, 3, 5].includes(row.state) && begin_at !== null && begin_at > now,
  }))
  return { list, total: Number(total) }
}

/** Covers given and received by teacher, the most given first. */
export async function listLedger({ db, school_id }: TeachingCtx,
  { page_index, page_size, keyword, from, to }: Input<typeof changeApi.ledger>): Promise<Reply<typeof changeApi.ledger>> {
  const turned = sql<{ user_id: string; given: number; received: number }>`(select x.user_id, sum(x.given)::int as given, sum(x.received)::int as received from (
      select to_teacher_id as user_id, 1 as given, 0 as received, date from cover_ledger_v where school_id = ${school_id} and to_teacher_id is not null
      union all
      select from_teacher_id, 0, 1, date from cover_ledger_v where school_id = ${school_id} and from_teacher_id is not null
    ) x where (${from ?? null}::date is null or x.date >= ${from ?? null}::date) and (${to ?? null}::date is null or x.date <= ${to ?? null}::date) group by x.user_id)`
  const which = db.selectFrom(turned.as('x'))
    .innerJoin('person_label as p', on => on.onRef('p.user_id', '=', 'x.user_id').on('p.school_id', '=', school_id))
    .where('p.school_id', '=', school_id)
    .$if(keyword !== undefined, query => query.where(nameHas(nameKeyOf('p.display_name'), keyword ?? '')))
  const rows = await which.select(['p.user_id', 'p.display_name as user_name', 'x.given', 'x.received']).orderBy('x.given', 'desc')
    .orderBy('p.user_id').limit(page_size).offset((page_index - 1) * page_size).execute()
  const { total } = await which.select(eb => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  return { list: rows.map(row => ({ ...row, net: row.given - row.received })), total: Number(total) }
}
