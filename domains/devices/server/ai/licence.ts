import { sql } from 'kysely'
import type { Line } from '../link/line.ts'
import { warnRuleKey } from './rule.plan.ts'

/** By this word a box says that it has no algorithm, or no licence, for what a rule looks for. */
const no_algorithm = 'algorithm'

/** A box has said what it may recognise (`algorithms`: codes of AI_WARN_KIND): rules that it refused for want of it are sent again. @returns whether there are any */
export async function followLicences({ db, school_id, device_id, now }: Line, algorithms: readonly string[]): Promise<boolean> {
  const { rows } = await sql`
    update sync_row r set state = 'pending', reason_code = null, reason_text = null, attempts = 0, next_at = ${now}, wanted_at = ${now}
    from ai_rule a
    where r.school_id = ${school_id} and r.device_id = ${device_id} and r.kind = 'rule' and r.want_op = 'put' and r.state = 'refused' and r.reason_code = ${no_algorithm}
      and a.school_id = r.school_id and r.row_key = ${warnRuleKey('')} || a.rule_id and a.warn_kind = any(${[...algorithms]}::text[])
    returning r.row_key`.execute(db)
  return rows.length > 0
}
