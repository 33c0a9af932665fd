import type { SchoolConfig, SchoolFace, SchoolInfo } from '@campus/school/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Pre } from '@kit/server/http'
import type { Kysely } from 'kysely'
import type { z } from 'zod'
import type { SchoolCtx, SchoolDb } from './db.ts'
import { loginProviderPort } from './login-provider.ts'
import { findConfig, findSchool } from './school.queries.ts'

const active = 2
type Face = z.output<typeof SchoolFace>

const no_face: Omit<Face, 'school_id'> = {
  school_name: '',
  school_logo_url: null,
  school_type: 1,
  login_bg_url: null,
  is_password_strong: 0,
  login_password_call: 'account/loginCheck',
  providers: [],
}

/** What the login page shows; unknown and suspended ids look alike, so that nobody learns which exist (chapter 10 P7). */
export async function readFace(pre: Pre, school_id: number): Promise<Face> {
  return pre.own<SchoolDb, Face>(school_id, async db => {
    const school = await findSchool(db, school_id)
    const config = await findConfig(db, school_id)
    if (!school || !config || school.state !== active) return { school_id, ...no_face }
    return {
      ...no_face,
      school_id,
      school_name: school.school_name,
      school_logo_url: publicUrl(school.school_logo),
      school_type: school.school_type,
      login_bg_url: publicUrl(school.login_bg),
      is_password_strong: config.is_password_strong,
      providers: (await Promise.all(loginProviderPort.all(pre.app).map(offered => offered(pre.app, db, school_id)))).flat(),
    }
  })
}

/** The configuration of the caller's own school; another id answers like a missing one. */
export async function readConfig(ctx: SchoolCtx, school_id: number): Promise<z.output<typeof SchoolConfig>> {
  const config = school_id === ctx.school_id ? await findConfig(ctx.db, ctx.school_id) : undefined
  if (!config) throw fail(commonErrors.notFound)
  return config
}

/** Name, type and logo of the caller's school. */
export async function readInfo(ctx: SchoolCtx): Promise<z.output<typeof SchoolInfo>> {
  const school = await findSchool(ctx.db, ctx.school_id)
  if (!school) throw fail(commonErrors.notFound)
  const { school_id, school_name, school_logo, school_type, course_type } = school
  return { school_id, school_name, school_logo, school_logo_url: publicUrl(school_logo), school_type, course_type }
}

/** Is this school open for login? Read by identity inside its own transaction. */
export async function schoolIsActive(db: Kysely<SchoolDb>, school_id: number): Promise<boolean> {
  const school = await findSchool(db, school_id)
  return school?.state === active
}

/** The address of a picture that everybody may see. */
export function publicUrl(file_key: string | null): string | null {
  return file_key === null ? null : `/material/f/${file_key}`
}
