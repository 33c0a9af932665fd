import type { PasswordOwner } from '@kit/contract/checks/password-common'
import type { Desk } from './db.ts'
import { directory } from './directory.ts'
import type { SchoolOfPerson } from './role-list.service.ts'

/**
 * What the password of a person must not contain (chapter 10 P5): his account, and in each of his schools number, mobile, birth date and the name of the
 * school. Each school is asked in a short transaction of its own.
 */
export async function passwordOwners(desk: Desk, { user_id, username }: { user_id: string; username: string | null }, schools: readonly SchoolOfPerson[]): Promise<PasswordOwner[]> {
  const [known] = directory.all(desk.app)
  const owners: PasswordOwner[] = [{ account: username ?? undefined }]
  for (const { school_id, card } of schools) {
    const facts = known ? await desk.own(school_id, db => known.passwordFacts(db, school_id, user_id)) : null
    owners.push({ ...facts, user_no: card?.user_no })
  }
  return owners
}
