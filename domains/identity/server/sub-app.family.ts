import { Port } from '@kit/server/http'
import type { QueryExecutorProvider } from 'kysely'

/** A child whose live guardian link somebody holds today, and who teaches its class. */
export type Child = { user_id: string; name: string; dept_id: string; is_guardian: boolean; head_teacher: string | null }

/** What identity asks of whoever knows families (chapter 80 M5). */
export type Family = {
  /** the living pupils of a school that a person may stand for today, the eldest first */
  childrenOf(db: QueryExecutorProvider, school_id: number, user_id: string): Promise<readonly Child[]>
  /** the name of the head teacher of a pupil's class; null for everybody else */
  headTeacherOf(db: QueryExecutorProvider, school_id: number, user_id: string): Promise<string | null>
}

/** Filled by people; without it nobody has children. */
export const familyPort = new Port<Family>('identity.family')
