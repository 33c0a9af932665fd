import type { IdentityHandle } from './db.ts'
import { default_rule } from './password-rule/rule.ts'
import type { PasswordRule } from './password-rule/rule.ts'

/** The password rule of a school (0 = the installation); defaults where none is written. */
export async function readRule(db: IdentityHandle, school_id: number): Promise<PasswordRule> {
  const row = await db
    .selectFrom('password_set as p')
    .leftJoin('school_config_v as c', 'c.school_id', 'p.school_id')
    .where('p.school_id', '=', school_id)
    .select(['p.pwd_count', 'p.valid_days', 'p.history_count', 'p.lock_times', 'p.login_max', 'c.is_password_strong'])
    .executeTakeFirst()
  if (!row) return { ...default_rule, school_id }
  const { is_password_strong, ...rest } = row
  return { school_id, ...rest, strong: is_password_strong === 1 }
}

/** Lets the login form of a school take up to 64 signs. */
export async function raiseLoginMax(db: IdentityHandle, school_id: number): Promise<void> {
  await db
    .insertInto('password_set')
    .values({ school_id, login_max: 64 })
    .onConflict(oc => oc.column('school_id').doUpdateSet({ login_max: 64 }))
    .execute()
}

/** Whether the school exists and is open. */
export async function isOpenSchool(db: IdentityHandle, school_id: number): Promise<boolean> {
  const school = await db.selectFrom('school_v').select('state').where('school_id', '=', school_id).executeTakeFirst()
  return school?.state === 2
}
