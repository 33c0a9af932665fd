import type { PeopleCtx } from '../db.ts'
import { oneOf } from '../dated.ts'
import type { Listed } from './listed-people.ts'

const day_ms = 86_400_000

/** Pupils who were entered by hand less than a day ago, by the command that entered them and that nothing has followed (rule 21). */
export async function mistakenEntries({ db, school_id, now }: PeopleCtx, people: readonly Listed[]): Promise<Map<string, string>> {
  const since = now.getTime() - day_ms
  const fresh = people.filter(person => person.facets.student && person.created_at.getTime() > since).map(person => person.user_id)
  if (fresh.length === 0) return new Map()
  const rows = await db
    .selectFrom('change_subject as s')
    .innerJoin('change_command as c', join => join.onRef('c.school_id', '=', 's.school_id').onRef('c.id', '=', 's.command_id'))
    .select(['s.user_id', 'c.id', 'c.kind', 'c.state'])
    .where('s.school_id', '=', school_id)
    .where('c.school_id', '=', school_id)
    .where(oneOf('s.user_id', fresh))
    .execute()
  const whole = [...Map.groupBy(rows, row => row.user_id)].flatMap(([user_id, own]) => {
    const [only] = own
    const is_entry = only !== undefined && own.length === 1 && (only.kind === 'IN' || only.kind === 'ENROL') && (only.state === 'applied' || only.state === 'settled')
    return is_entry ? [[user_id, only.id] as const] : []
  })
  return new Map(whole)
}
