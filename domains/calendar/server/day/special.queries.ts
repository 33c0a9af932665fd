import { clockOf } from '@campus/calendar/contract'
import type { Special } from '@campus/calendar/contract'
import type { Selectable } from 'kysely'
import type { CalendarDb, Db } from '../db.ts'

export type SpecialRecord = Selectable<CalendarDb['calendar_special']>

/** What is set upon the days of a span, in their order. */
export function readSpecials(db: Db, school_id: number, { from, to }: { from: string; to: string }): Promise<SpecialRecord[]> {
  return db
    .selectFrom('calendar_special')
    .selectAll()
    .where('school_id', '=', school_id)
    .where('begin_date', '<=', to)
    .where('end_date', '>=', from)
    .orderBy('begin_date')
    .orderBy('id')
    .execute()
}

export function findSpecial(db: Db, school_id: number, id: string): Promise<SpecialRecord | undefined> {
  return db.selectFrom('calendar_special').selectAll().where('school_id', '=', school_id).where('id', '=', id).executeTakeFirst()
}

/** What is set, as it is answered. */
export function specialOf({ scope_kind, closed_from, closed_to, source, school_id: _school, valid: _valid, scope_hash: _hash, updated_at: _at, ...row }: SpecialRecord): Special {
  return {
    ...row,
    scope_kind: scope_kind === 'stage' ? 'stage' : scope_kind === 'grade' ? 'grade' : 'school',
    closed_from: closed_from === null ? null : clockOf(closed_from),
    closed_to: closed_to === null ? null : clockOf(closed_to),
    source: source === 'national' ? 'national' : 'school',
  }
}
