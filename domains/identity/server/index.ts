import { join } from 'node:path'
import { identityErrors, identityEvents, identityRoutes } from '@campus/identity/contract'
import { configCheckPort, loginProviderPort, schoolKeeperPort, setupStepPort } from '@campus/school/server'
import { importTemplatePort, listExportPort } from '@kit/server/excel'
import { timerKindPort } from '@kit/server/event'
import { badgePort } from '@kit/server/http'
import type { DomainServer } from '@kit/server/http'
import { sealedPort } from '@kit/server/secrets'
import { watcherPort } from '@kit/server/realtime'
import { accountRoutes } from './account.routes.ts'
import { appRoleRoutes } from './app-role/app-role.routes.ts'
import { explainRoutes } from './explain.routes.ts'
import { memberTemplate } from './import/member.template.ts'
import { loginRoutes } from './login.routes.ts'
import { endingMembers } from './member.badges.ts'
import { warnOfEnding } from './member.ending.ts'
import { memberExport } from './member.export.ts'
import { memberRoutes } from './member.routes.ts'
import { loginMoved } from './merge/elsewhere.ts'
import { loginProviders } from './provider/face.ts'
import { providerRoutes } from './provider/provider.routes.ts'
import { consoleConsumers, identityChannels, watchersOf } from './realtime.channels.ts'
import { realtimeRoutes } from './realtime.routes.ts'
import { roleRoutes } from './role.routes.ts'
import { sealedProviderSecret } from './provider/sealed-secret.ts'
import { installRule, seedSchool } from './seed.ts'
import { sessionRoutes } from './session.routes.ts'
import { strongModeCheck } from './password-effect.ts'
import { passwordSetRoutes } from './password-set.routes.ts'
import { schoolKeeper } from './school-keeper.ts'
import { rolesStep } from './setup-step.ts'
import { subAppRoutes } from './sub-app.routes.ts'
import { startSweep } from './sweep.ts'

export { ensureUsers, grantSuper, issueAccount, nextSubjectIds } from './account.queries.ts'
export type { NewAccount, NewPerson } from './account.queries.ts'
export { eraseUser } from './account.erase.ts'
export { passwordState } from './account.password-state.ts'
export type { PasswordState } from './account.password-state.ts'
export { removeUsers, restoreUsers, usedUsers, userImages } from './account.remove.ts'
export type { UserImage } from './account.remove.ts'
export { setSysPwd } from './account.reset.ts'
export type { IssuedPassword } from './account.reset.ts'
export { defineAppGroups, defineAppRole } from './app-role/app-role.define.ts'
export type { NewAppGroup, NewAppRole } from './app-role/app-role.define.ts'
export { appMenuOf } from './app-role/app-menu.ts'
export type { AppUser } from './app-role/app-menu.ts'
export { issueSlips, passwordSlipPort } from './account.slips.ts'
export type { PasswordSlips, Slip } from './account.slips.ts'
export { reachAccounts } from './account.target.ts'
export type { Target } from './account.target.ts'
export { boundAccounts } from './provider/bind.queries.ts'
export { offerTestLogins } from './provider/offer-tests.ts'
export { issueOneTimeCode } from './provider/one-time-code.service.ts'
export { mayTest } from './provider/test-provider.ts'
export { consumeCaptcha } from './captcha.service.ts'
export { directory } from './directory.ts'
export type { Contact, Directory } from './directory.ts'
export { joinedDuties, partDuties } from './duties-apart.ts'
export { openGate } from './gate.ts'
export { hashPassword } from './hash-pool.ts'
export { accountFacts, membershipFacts } from './person.facts.ts'
export { setRoles } from './member.give.ts'
export { mergeUsers, unmergeUsers } from './merge/merge.ts'
export { registerSessionGate } from './session-gate.ts'
export type { GateDocument, GateVisitor, SessionGate } from './session-gate.ts'
export { holdRule } from './installation-rule.ts'
export { defineGroups, defineRole, grantRole, setPermissionsOfRoles, setRolePermissions, setRoleScope } from './role.queries.ts'
export type { ClientKind, Dimension, NewGroup, NewMember, NewRole, ScopeKind } from './role.queries.ts'
export { tellOwnRights } from './realtime.tell.ts'
export { declareScope } from './scope-fact.queries.ts'
export type { ScopeDeclaration } from './scope-fact.queries.ts'
export { startSession } from './session.service.ts'
export type { Credentials } from './session.service.ts'
export type { NewSession } from './session.queries.ts'
export { helpTarget } from './ai-help.ts'
export { familyPort } from './sub-app.family.ts'
export type { Child, Family } from './sub-app.family.ts'
export { subAppManifestPort } from './sub-app.manifest.ts'
export type { SubAppManifest } from './sub-app.manifest.ts'
export { resetSuperPassword, superAccounts } from './super-password.ts'
export { spendRecheck } from './ticket.queries.ts'
export type { Desk, Own } from './db.ts'
export type { IdentityViews } from './tables.gen.ts'
export { offWords, userOff, userOffKept, userOn } from './user-state.ts'
export type { OffReceipt, UserOff, UserStateDesk } from './user-state.ts'

export const identityServer: DomainServer = {
  name: 'identity',
  migrations: join(import.meta.dirname, 'migrations'),
  routes: [...loginRoutes, ...sessionRoutes, ...roleRoutes, ...memberRoutes, ...explainRoutes, ...passwordSetRoutes, ...accountRoutes, ...providerRoutes, ...appRoleRoutes, ...subAppRoutes, ...realtimeRoutes],
  codes: [memberTemplate.need],
  facts: identityRoutes,
  events: Object.values(identityEvents),
  consumers: consoleConsumers,
  channels: identityChannels,
  constraints: {
    account_username_key: identityErrors.usernameTaken,
    school_user_no_key: identityErrors.userNoTaken,
    school_user_no_once: identityErrors.userNoTaken,
    role_member_overlap: identityErrors.alreadyMember,
    role_name_key: identityErrors.nameTaken,
    role_group_name_key: identityErrors.groupNameTaken,
    role_group_fk: identityErrors.groupInUse,
    login_provider_pkey: identityErrors.providerExists,
    account_merge_open: identityErrors.alreadyMerged,
  },
  compose(boot) {
    const { app } = boot
    watcherPort.fill(app, watchersOf(boot))
    importTemplatePort.fill(app, memberTemplate)
    listExportPort.fill(app, memberExport)
    for (const timer of [warnOfEnding, loginMoved]) timerKindPort.fill(app, timer)
    setupStepPort.fill(app, rolesStep)
    schoolKeeperPort.fill(app, schoolKeeper)
    configCheckPort.fill(app, strongModeCheck)
    sealedPort.fill(app, sealedProviderSecret)
    loginProviderPort.fill(app, loginProviders)
    badgePort.fill(app, endingMembers)
  },
  seed: seedSchool,
  install: installRule,
  start: startSweep,
}
