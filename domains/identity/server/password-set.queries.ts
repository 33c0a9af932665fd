import type { PasswordSetFields } from '@campus/identity/contract'
import type { IdentityHandle } from './db.ts'
import { default_rule } from './password-rule/rule.ts'
import type { PasswordRule } from './password-rule/rule.ts'

/** The password rule of a school (0 = the installation); defaults where none is written. */
export async function readRule(db: IdentityHandle, school_id: number): Promise<PasswordRule> {
  const row = await db
    .selectFrom('password_set as p')
    .leftJoin('school_config_v as c', 'c.school_id', 'p.school_id')
    .where('p.school_id', '=', school_id)
    .select(['p.pwd_count', 'p.valid_days', 'p.history_count', 'p.lock_times', 'p.login_max', 'p.weak_action', 'c.is_password_strong'])
    .executeTakeFirst()
  if (!row) return { ...default_rule, school_id }
  const { is_password_strong, weak_action, ...rest } = row
  return { school_id, ...rest, strong: is_password_strong === 1, blocks_weak: weak_action === 'block' }
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

const default_codes = ['random', 'phone_tail', 'id_tail'] as const
const first_set: PasswordSetFields & { row_version: number } = {
  pwd_count: 8, valid_days: 0, history_count: 5, default_rule: 'random', default_prefix: null, weak_action: 'force', lock_times: 5, idle_minutes: 480,
  notice_until: '2025-07-01T04:00:00.000Z', notice_text: null, row_version: 1,
}

/** What a school has set, every field; the defaults where nothing is written. */
export async function readSet(db: IdentityHandle, school_id: number): Promise<PasswordSetFields & { row_version: number }> {
  const row = await db
    .selectFrom('password_set')
    .select(['pwd_count', 'valid_days', 'history_count', 'default_rule', 'default_prefix', 'weak_action', 'lock_times', 'idle_minutes', 'notice_until', 'notice_text', 'row_version'])
    .where('school_id', '=', school_id)
    .executeTakeFirst()
  if (!row) return first_set
  const known = default_codes.find(code => code === row.default_rule) ?? 'random'
  return { ...row, default_rule: known, weak_action: row.weak_action === 'block' ? 'block' : 'force', notice_until: row.notice_until.toISOString() }
}

/** Writes what was set if it is still what was read; false when somebody else was faster. */
export async function writeSet(db: IdentityHandle, { school_id, row_version, values, by, now }: { school_id: number; row_version: number; values: PasswordSetFields; by: string; now: Date }): Promise<boolean> {
  await db.insertInto('password_set').values({ school_id }).onConflict(oc => oc.doNothing()).execute()
  const changed = { ...values, row_version: row_version + 1, updated_by: by, updated_at: now }
  const saved = await db.updateTable('password_set').set(changed).where('school_id', '=', school_id).where('row_version', '=', row_version).returning('row_version').executeTakeFirst()
  return saved !== undefined
}
