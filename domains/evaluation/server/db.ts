import type { CalendarViews } from '@campus/calendar/server'
import type { FilesViews } from '@campus/files/server'
import type { IdentityViews } from '@campus/identity/server'
import type { PeopleViews } from '@campus/people/server'
import type { SchoolViews } from '@campus/school/server'
import type { TeachingViews } from '@campus/teaching/server'
import { implementFor } from '@kit/server/http'
import type { App, Ctx } from '@kit/server/http'
import type { Kysely } from 'kysely'
import type { EvaluationTables, EvaluationViews } from './tables.gen.ts'

/** The tables of evaluation, and the views of other domains that they may name. */
export type EvaluationDb = EvaluationTables &
  EvaluationViews &
  SchoolViews &
  IdentityViews &
  PeopleViews &
  CalendarViews &
  TeachingViews &
  FilesViews
export type EvaluationCtx = Ctx<EvaluationDb>
export type Db = Kysely<EvaluationDb>
/** Work in a school, in a request or without one. */
export type Work = { app: App; db: Db; school_id: number; now: Date }

export const implement = implementFor<EvaluationDb>()

/** The right of the moral office: everything of every class of its scope, negative records too. */
export const manage_code = 'evaluation.star.manage'
