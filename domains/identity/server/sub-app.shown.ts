import { modulesFor } from '@campus/identity/contract'
import type { AppKind } from '@campus/identity/contract'
import type { App } from '@kit/server/http'
import { appMenuOf } from './app-role/app-menu.ts'
import type { IdentityHandle } from './db.ts'
import { isSuperNo } from './gate.ts'
import { roleOf } from './sub-app.welcome.ts'

/** The identity with which somebody uses the app clients of a school. */
export type AppHolder = { school_id: number; user_id: string; role_no: string }
type Desk = { app: App; now: Date }

/** Who is a parent or a pupil in his identity uses the client of that kind; everybody else the staff's. */
const kind_of_group: Readonly<Record<string, AppKind>> = { SYS004: 'student', SYS005: 'parent' }
/** The client's own entry, which a role cannot take away. */
const entry = 'hall'
const school = 1

/**
 * The sub-applications that the app roles show an identity, in their order (chapter 10 §1 role_module, chapter 80 M2): the hall leads to these and no
 * other. A super account is reached by no role and is shown all.
 */
export async function shownApps({ app, now }: Desk, db: IdentityHandle, { school_id, user_id, role_no }: AppHolder): Promise<readonly string[]> {
  if (isSuperNo(role_no)) return modulesFor('teacher', school)
  const role = await roleOf(db, school_id, role_no)
  const client_kind = kind_of_group[role?.role_group ?? ''] ?? 'teacher'
  return (await appMenuOf(app, db, { school_id, user_id, client_kind, now })).modules
}

/** Whether the app roles let an identity open one of them. */
export async function isShown(desk: Desk, db: IdentityHandle, holder: AppHolder, code: string): Promise<boolean> {
  return code === entry || (await shownApps(desk, db, holder)).includes(code)
}
