import { ATTEND_STATE, ATTEND_WAY, most_term_days, section_names } from '@campus/attendance/contract'
import type { attendFilterApi, AttendOption } from '@campus/attendance/contract'
import type { Input, Reply } from '@kit/contract'
import { sql } from 'kysely'
import type { AttendanceCtx } from '../db.ts'
import { placeNames } from './names.ts'
import { daysOf, resultRows } from './scope.ts'

type Options = Reply<typeof attendFilterApi.options>
const all: AttendOption = { id: 'all', name: '全部' }
const by_number = (a: AttendOption, b: AttendOption) => Number(a.id) - Number(b.id)

/** What occurs in these days among the results that somebody sees; each list begins with 全部 (chapter 55 §4). @throws Refusal 422 */
export async function readOptions(
  ctx: AttendanceCtx,
  { who, date_from, date_to }: Input<typeof attendFilterApi.options>,
): Promise<Options> {
  const { db, school_id } = ctx
  const where = await resultRows(ctx, who, {}, daysOf(ctx.now, { from: date_from, to: date_to }, most_term_days))
  const { rows } = await sql<Record<'places' | 'ways' | 'sections' | 'subjects' | 'states', string[] | null>>`
    select array_agg(distinct r.place_id::text) filter (where r.place_id is not null) as places,
      array_agg(distinct r.identify_type::text) filter (where r.identify_type is not null) as ways,
      array_agg(distinct r.section::text) as sections,
        array_agg(distinct r.subject::text) filter (where r.subject is not null) as subjects, array_agg(distinct r.state::text) as states
    from attend_result r where ${where}`.execute(db)
  const { places, ways, sections, subjects, states } = rows[0] ?? {}
  const place_names = await placeNames(db, school_id, places ?? [])
  const subject_names = await db
    .selectFrom('dictionary_v')
    .select(['sc_code_item', 'name'])
    .where('school_id', '=', school_id)
    .where('sc_code_type', '=', 'SUBJECT')
    .orderBy('order')
    .execute()
  const classroom = (places ?? [])
    .map(id => ({ id, name: place_names.get(id) ?? '已撤销的教室' }))
    .toSorted((a, b) => a.name.localeCompare(b.name, 'zh-CN'))
  return {
    classroom: [all, ...classroom],
    identify_type: optionsOf(ways, ATTEND_WAY.names),
    section: optionsOf(sections, section_names),
    subject: [all, ...subject_names.flatMap(({ sc_code_item: id, name }) => (subjects?.includes(id) ? [{ id, name }] : []))],
    state: optionsOf(states, ATTEND_STATE.names),
  }
}

function optionsOf(ids: readonly string[] | null | undefined, names: Readonly<Record<string, string>>): AttendOption[] {
  return [all, ...(ids ?? []).map(id => ({ id, name: names[id] ?? id })).toSorted(by_number)]
}
