import type { loginApi, RoleEntry, sessionApi } from '@campus/identity/contract'
import type { dictionaryApi, NavItem, navigationApi, schoolApi } from '@campus/school/contract'
import type { Reply } from '@kit/contract'

/*
 * Shapes of the answers, taken from the contracts as types only: the contracts pull in zod, which the login page
 * must not load. The answers are not parsed here; they come from our own origin, which serialises them by schema.
 */
export type Captcha = Reply<typeof loginApi.captcha>
export type LoginReply = Reply<typeof loginApi.check>
export type PasswordSet = Reply<typeof loginApi.passwordSet>
export type TokenReply = Reply<typeof loginApi.token>
export type UserCards = Reply<typeof sessionApi.cards>
export type RoleGroups = Reply<typeof sessionApi.roleGroups>
export type SchoolFace = Reply<typeof schoolApi.face>
export type SchoolConfig = Reply<typeof schoolApi.config>
export type SchoolInfo = Reply<typeof schoolApi.info>
export type Dictionaries = Reply<typeof dictionaryApi.all>
export type Navigations = Reply<typeof navigationApi.list>
export type { NavItem, RoleEntry }
