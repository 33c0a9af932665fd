import type { ArchiveOperator } from '@campus/audit/server'
import type { PeopleCtx } from './db.ts'

/** Who acts in this request, for the archive journal. */
export function operatorOf({ me, school_id, now, request }: PeopleCtx): ArchiveOperator {
  return {
    school_id, at: now, request_id: request.request_id, ip: request.ip,
    user_id: me.user_id, user_no: me.user_no, user_name: me.user_name, role_no: me.role_no, role_name: me.role_name,
    ...(me.acted_for ? { acted_for: me.acted_for.user_id } : {}),
  }
}
