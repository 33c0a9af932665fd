import { asTables } from '@kit/server/db'
import { setTimer } from '@kit/server/event'
import type { Timer, TimerKind } from '@kit/server/event'
import { sql } from 'kysely'
import type { PeopleDb } from '../db.ts'
import { eraseDocuments } from './documents.ts'

const kind = 'people.freshmen_papers'
const at_once = 50
const arrived = '6'

/** Once a season has ended, the documents of all who did not arrive go. */
export function papersEnd(season_id: string, now: Date, round = 0): Timer {
  return { kind, ref: `${season_id}@${round}`, due_at: now }
}

/** Some applications at a time; of those who arrived they stay, as long as they do. */
export const papersTimer: TimerKind = {
  kind,
  async run(handle, { app, school_id, ref, now }) {
    const [season_id = '', round = '0'] = ref.split('@')
    const { rows } = await sql<{ id: string }>`
      select distinct a.id from freshmen_apply a join freshmen_file f on f.school_id = a.school_id and f.apply_id = a.id
      where a.school_id = ${school_id} and a.season_id = ${season_id} and a.state <> ${arrived} order by a.id limit ${at_once}`.execute(asTables<PeopleDb>(handle))
    await eraseDocuments({ app, db: handle, school_id, now }, rows.map(row => row.id))
    if (rows.length === at_once) await setTimer({ app, db: handle, school_id }, papersEnd(season_id, now, Number(round) + 1))
  },
}
