import { createCollect } from '@campus/people/server'
import { sql } from 'kysely'
import type { Work } from './school-work.ts'

const answered = 82
const waiting = 30
const day_ms = 86_400_000

/** The collection task 开学信息核对 at 82 %, some of its answers waiting for the school (chapter 20 §8). */
export async function fillCollect({ app, db, school_id, now }: Work): Promise<void> {
  const { rows } = await sql<{ root_id: string; created_by: string }>`
    select d.id::text as root_id, a.user_id::text as created_by from dept_now d, account a
    where d.school_id = ${school_id} and d.parent_id is null and a.username = 'admin01' order by d.id limit 1`.execute(db)
  const [asker] = rows
  if (!asker) throw new Error('nobody asks')
  await createCollect(db, app.secrets, school_id, {
    title: '开学信息核对', field_codes: ['postcode', 'email', 'study_method', 'commute', 'tel', 'address'], dept_ids: [asker.root_id], created_by: asker.created_by, answered,
    open_at: new Date(now.getTime() - 6 * day_ms), close_at: new Date(now.getTime() + 8 * day_ms),
    waiting: Array.from({ length: waiting }, (_, at) => ({ postcode: String(266_000 + at), email: `family${at + 1}@example.com` })),
  })
}
