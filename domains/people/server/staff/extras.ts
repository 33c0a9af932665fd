import type { ArchiveChange } from '@campus/audit/server'
import { setRoles } from '@campus/identity/server'
import { peopleErrors } from '@campus/people/contract'
import type { PeopleCtx } from '../db.ts'
import type { Trouble } from '../student-file.trouble.ts'
import { plateOwners, platesOf, setPlates } from '../vehicle/plates.ts'
import { rolesOfStaff } from './staff.queries.ts'

/** What a draft says of somebody's plates and roles; absent = as they are. */
export type Extras = { plates?: readonly string[] | undefined; role_ids?: readonly string[] | undefined }

/** Plates that are somebody else's; `user_id` null: of somebody who is not there yet. */
export async function plateTroubles({ db, school_id }: PeopleCtx, { plates = [] }: Extras, user_id: string | null, on: string): Promise<Trouble[]> {
  const owners = await plateOwners(db, { school_id, on }, plates)
  return [...owners.values()].some(owner => owner !== user_id) ? [{ failure: peopleErrors.plateTaken, field: 'plates' }] : []
}

/** Writes plates and roles. @returns a line for the journal for each that changed. @throws Refusal of identity when a role may not be given or taken */
export async function saveExtras(ctx: PeopleCtx, user_id: string, { plates, role_ids }: Extras, on: string): Promise<ArchiveChange[]> {
  const { db, school_id } = ctx
  const before = await shownExtras(ctx, user_id, on)
  if (plates !== undefined) await setPlates(db, { school_id, on }, new Map([[user_id, plates]]))
  if (role_ids !== undefined) await setRoles(ctx, user_id, role_ids)
  const after = await shownExtras(ctx, user_id, on)
  return [...changed('plates', '车牌号', before.plates, after.plates), ...changed('roles', '角色', before.roles, after.roles)]
}

async function shownExtras({ db, school_id }: PeopleCtx, user_id: string, on: string) {
  const plates = (await platesOf(db, { school_id, on }, [user_id])).get(user_id) ?? []
  const roles = await rolesOfStaff(db, school_id, [user_id])
  return { plates: plates.join('；'), roles: roles.map(role => role.name).join('；') }
}

function changed(field: string, label: string, before: string, after: string): ArchiveChange[] {
  return before === after ? [] : [{ field, label, before: before || null, after: after || null }]
}
