import { importTemplatePort } from '@kit/server/excel'
import type { Badge, BadgeDesk } from '@kit/server/http'
import { sql } from 'kysely'

/** Own imports that were read and wait to be confirmed, at the page of their template. */
export async function waitingBatches({ app, db, school_id, me }: BadgeDesk): Promise<Badge[]> {
  const { rows } = await sql<{ template: string; n: number }>`
    select template, count(*)::int as n from import_batch where school_id = ${school_id} and created_by = ${me.user_id} and state = 'parsed' group by template order by template`.execute(db)
  return rows.flatMap(({ template, n }) => {
    const known = importTemplatePort.all(app).find(one => one.code === template)
    return known?.page !== undefined && me.codes.has(known.need) ? [{ path: known.page, count: n, text: `${n}个${known.title}待确认` }] : []
  })
}
