import type { Meter } from '@kit/server/http'
import type { Database } from '@kit/server/db'
import { sql } from 'kysely'

type Count = { state: string; jobs: number }

/** Jobs on the installation's due list: waiting, and held by a worker of any process. */
export function jobCounts(database: Database): Meter {
  return {
    name: 'campus_jobs',
    about: 'Jobs that wait or run',
    labels: ['state'],
    async read() {
      const { rows } = await database.tenant<unknown, { rows: Count[] }>(
        0,
        db => sql<Count>`
          select s.state, count(w.work_id)::int as jobs from (values ('queued', false), ('running', true)) s (state, is_held)
          left join work w on w.kind = 'job' and coalesce(w.lease_until > now(), false) = s.is_held
          group by s.state`.execute(db),
        { read_only: true },
      )
      return rows.map(({ state, jobs }) => ({ labels: { state }, value: jobs }))
    },
  }
}
