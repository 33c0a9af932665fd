import type { PasswordOwner } from '@kit/contract/checks/password-common'
import { Port } from '@kit/server/http'
import type { Me } from '@kit/server/http'
import type { QueryExecutorProvider, RawBuilder } from 'kysely'
import type { FirstFacts } from './password-rule/first-password.ts'

/** On whose behalf, in which school, when: the acting identity, or one that is looked into. */
type Asker = { db: QueryExecutorProvider; school_id: number; me: Pick<Me, 'user_id' | 'user_dep' | 'scopes' | 'acted_for'>; now: Date }

/** A query of one column of user ids, to stand in a query of identity's. */
type UserIds = RawBuilder<unknown>

/** What an identity's department scope covers today. */
type Covered = { users: UserIds | 'all'; depts: ReadonlySet<string> | 'all' }

/** Where a person is reached outside the product. */
export type Contact = { mobile: string | null; email: string | null }

/** What identity asks of whoever knows people and departments. */
export type Directory = {
  /** Names of departments by id; unknown ids are left out. */
  labels(db: QueryExecutorProvider, school_id: number, dept_ids: readonly string[]): Promise<ReadonlyMap<string, string>>
  /** Today's departments by their path below the school, `小学部/一年级/1班`; of departments with the same path one. */
  paths(db: QueryExecutorProvider, school_id: number): Promise<ReadonlyMap<string, string>>
  /** The people and departments an identity may work with. */
  covers(asker: Asker): Promise<Covered>
  /** People found by name, pinyin or its initials, number or the last four digits of their mobile. */
  search(school_id: number, keyword: string): UserIds
  /** People who belong today to a department or one below it; null when the school has no such department. */
  members(asker: Asker, dept_id: string): Promise<UserIds | null>
  /** The name of the department each belongs to today; who belongs to none is left out. */
  deptsOf(db: QueryExecutorProvider, school_id: number, user_ids: readonly string[]): Promise<ReadonlyMap<string, string>>
  /** These departments, as far as they exist today, with everything below them. */
  children(db: QueryExecutorProvider, school_id: number, dept_ids: readonly string[]): Promise<readonly string[]>
  /** What a person's password must not contain besides his account and number: mobile, birth date, the school's name in pinyin; null for whom the archives do not know. */
  passwordFacts(db: QueryExecutorProvider, school_id: number, user_id: string): Promise<PasswordOwner | null>
  /** What a first password may be made of: mobile and identity number of the people who live in the archives; the others are left out. Never answered by a call. */
  firstFacts(db: QueryExecutorProvider, school_id: number, user_ids: readonly string[]): Promise<ReadonlyMap<string, FirstFacts>>
  /** Mobile and e-mail of the people who live in the archives, as messages need them at sending time; the others are left out. */
  contacts(db: QueryExecutorProvider, school_id: number, user_ids: readonly string[]): Promise<ReadonlyMap<string, Contact>>
}

/** Filled by people at start; identity works without it, then departments have no names. */
export const directory = new Port<Directory>('identity.directory')
