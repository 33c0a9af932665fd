import { clockOf, minutesOf, stage_codes } from '@campus/calendar/contract'
import type { Bell, BellSection } from '@campus/calendar/contract'
import type { Db } from '../db.ts'



/** Bells with their parts; `ids` absent: all. `today`: whether one rings still. */
export async function readBells(db: Db, school_id: number, today: string, ids?: readonly string[]): Promise<Bell[]> {
  const bells = await db
    .selectFrom('bell')
    .selectAll()
    .where('school_id', '=', school_id)
    .$if(ids !== undefined, query => query.where('id', 'in', [...(ids ?? [])]))
    .orderBy('stage')
    .orderBy('id')
    .execute()
  const sections = await db.selectFrom('bell_section').selectAll().where('school_id', '=', school_id).orderBy('bell_id').orderBy('order_no').execute()
  const used = await usedBells(db, school_id, today)
  return bells.map(({ id, name, stage, season, row_version }) => ({
    id, name, row_version,
    stage: stage_codes.find(code => code === stage) ?? null,
    season: season === 'summer' || season === 'winter' ? season : null,
    sections: sections.filter(({ bell_id }) => bell_id === id).map(({ name: part, section_kind, section, begin_min, end_min }) => ({ name: part, section_kind, section, begin: clockOf(begin_min), end: clockOf(end_min) })),
    in_use: used.has(id),
  }))
}

/** Bells that ring on a day or will. */
async function usedBells(db: Db, school_id: number, today: string): Promise<Set<string>> {
  const uses = await db.selectFrom('bell_use').select('bell_id').distinct().where('school_id', '=', school_id).where(eb => eb.or([eb('valid_to', 'is', null), eb('valid_to', '>', today)])).execute()
  const set = await db.selectFrom('calendar_special').select('bell_id').distinct().where('school_id', '=', school_id).where('bell_id', 'is not', null).where('end_date', '>=', today).execute()
  return new Set([...uses, ...set].flatMap(({ bell_id }) => bell_id ?? []))
}

/** The parts of a bell in the place of those it had. */
export async function writeSections(db: Db, school_id: number, bell_id: string, sections: readonly BellSection[]): Promise<void> {
  await db.deleteFrom('bell_section').where('school_id', '=', school_id).where('bell_id', '=', bell_id).execute()
  const rows = sections.map(({ begin, end, ...part }, at) => ({ ...part, school_id, bell_id, order_no: at + 1, begin_min: minutesOf(begin), end_min: minutesOf(end) }))
  await db.insertInto('bell_section').values(rows).execute()
}
