import { insertMany } from '@kit/server/db'
import type { QueryExecutorProvider } from 'kysely'

type Place = { db: QueryExecutorProvider; school_id: number }
/** A result as a recompute would write it; what is left out is empty. */
export type PlannedResult = {
  lesson_date: string
  occurrence_id: string
  user_id: string
  person_kind: 1 | 2
  section: number
  state: number
  expect_kind?: number
  subject?: string | null
  course_id?: string | null
  place_id?: string | null
  dept_id?: string | null
  class_id?: string | null
  role?: number | null
  in_at?: Date | null
  identify_type?: number | null
  late_min?: number
  early_min?: number
  flags?: number
  event_ref?: string | null
  provisional?: boolean
}
/** A claim as its source brings it. */
export type PlannedEvent = {
  event_date: string
  source: number
  source_key: string
  user_id: string
  person_kind: 1 | 2
  event_time: Date | null
  received_at: Date
  time_state?: number
  place_id?: string | null
  device_id?: string | null
  direction?: number
  identify_type?: number | null
  claim?: string
  lesson_day_id?: string | null
}

/** Writes results beside the recompute: for tests of what reads them. */
export async function createResults({ db, school_id }: Place, rows: readonly PlannedResult[]): Promise<void> {
  await insertMany(
    db,
    'attend_result',
    rows.map(row => ({
      expect_kind: 1,
      subject: null,
      course_id: null,
      place_id: null,
      dept_id: null,
      class_id: null,
      role: null,
      in_at: null,
      identify_type: null,
      late_min: 0,
      early_min: 0,
      flags: 0,
      event_ref: null,
      provisional: false,
      ...row,
      school_id,
    })),
  )
}

/** Writes claims as they came. */
export async function createEvents({ db, school_id }: Place, rows: readonly PlannedEvent[]): Promise<void> {
  await insertMany(
    db,
    'attend_event',
    rows.map(row => ({
      time_state: 0,
      place_id: null,
      device_id: null,
      direction: 0,
      identify_type: null,
      claim: 'seen',
      lesson_day_id: null,
      ...row,
      device_time: row.event_time,
      school_id,
    })),
  )
}
