import { schoolAdmins } from '@campus/messages/server'
import type { Sender } from '@campus/messages/server'
import { managersAbove } from '@campus/places/server'
import { schoolDay } from '@campus/school/server'

/** Who looks after a place; of a place that nobody looks after, and of none, those who look after the school. `urgent`: both. */
export async function receiversAt({ db, school_id, now }: Pick<Sender, 'db' | 'school_id' | 'now'>, node_path: string | null, urgent: boolean): Promise<{ user_id: string }[]> {
  const managers = node_path === null ? [] : await managersAbove(db, school_id, node_path, schoolDay(now))
  const admins = managers.length === 0 || urgent ? await schoolAdmins({ db, school_id, now }) : []
  return [...new Set([...managers, ...admins.map(admin => admin.user_id)])].map(user_id => ({ user_id }))
}
