import { join } from 'node:path'
import { identityErrors } from '@campus/identity/contract'
import type { DomainServer } from '@kit/server/http'
import { loginRoutes } from './login.routes.ts'
import { installRule, seedSchool } from './seed.ts'
import { sessionRoutes } from './session.routes.ts'
import { startSweep } from './sweep.ts'

export { ensureUsers, grantSuper, issueAccount, nextSubjectIds } from './account.queries.ts'
export type { NewAccount, NewPerson } from './account.queries.ts'
export { removeUsers, restoreUsers, usedUsers, userImages } from './account.remove.ts'
export type { UserImage } from './account.remove.ts'
export { consumeCaptcha } from './captcha.service.ts'
export { directory } from './directory.ts'
export type { Directory } from './directory.ts'
export { openGate } from './gate.ts'
export { hashPassword } from './hash-pool.ts'
export { defineGroups, defineRole, grantRole, setRolePermissions, setRoleScope } from './role.queries.ts'
export type { ClientKind, Dimension, NewGroup, NewMember, NewRole, ScopeKind } from './role.queries.ts'
export { declareScope } from './scope-fact.queries.ts'
export type { ScopeDeclaration } from './scope-fact.queries.ts'
export { startSession } from './session.service.ts'
export type { Credentials } from './session.service.ts'
export type { NewSession } from './session.queries.ts'
export { spendRecheck } from './ticket.queries.ts'
export type { Desk, Own } from './db.ts'
export type { IdentityViews } from './tables.gen.ts'

export const identityServer: DomainServer = {
  name: 'identity',
  migrations: join(import.meta.dirname, 'migrations'),
  routes: [...loginRoutes, ...sessionRoutes],
  constraints: {
    account_username_key: identityErrors.usernameTaken,
    school_user_no_key: identityErrors.userNoTaken,
    role_member_overlap: identityErrors.alreadyMember,
    role_name_key: identityErrors.nameTaken,
  },
  seed: seedSchool,
  install: installRule,
  start: startSweep,
}
