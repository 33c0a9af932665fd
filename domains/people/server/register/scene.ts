import { linesColumns } from '@campus/jobs/server'
import { facetOf, peopleErrors, sensitive_level } from '@campus/people/contract'
import type { RegisterField } from '@campus/people/contract'
import { fail } from '@kit/contract'
import type { App, Me } from '@kit/server/http'
import type { Db } from '../db.ts'
import { liveFields } from '../field/ext.ts'
import { readFields } from './register.queries.ts'

/** Field scenes of the product: 1 pupils, 2 staff; each enters the archive by its import template. */
const templates: Readonly<Record<number, string>> = { 1: 'student', 2: 'teacher' }
/** Columns that another part of the product fills from the batch: nobody registers with them. */
const not_asked: ReadonlySet<string> = new Set(['card_no', 'bed', 'tags', 'roles'])
/** What the school gives and whoever registers cannot know. */
const given_by_school: ReadonlySet<string> = new Set(['grade', 'class_name', 'student_no', 'teacher_no', 'dept', 'state', 'kind'])
const fixed: ReadonlySet<string> = new Set(['user_name'])

/** One field of a form with how it is filled. */
export type SceneField = RegisterField & { options: string[] | null; note: string; is_sensitive: boolean }
export type SceneDesk = { db: Db; school_id: number; me: Me; now: Date; app: App }

/** The import template of a scene. @throws Refusal 422 fieldScene for any other number */
export function templateOfScene(field_scene: number): string {
  const code = templates[field_scene]
  if (code === undefined) throw fail(peopleErrors.fieldScene)
  return code
}

/** The fields of a form in their order: as the school has set them, else what the import template requires of a newcomer. */
export async function sceneFields(desk: SceneDesk, field_scene: number): Promise<SceneField[]> {
  const code = templateOfScene(field_scene)
  const columns = (await linesColumns(desk, code)).filter(({ prop }) => !not_asked.has(prop))
  const set = new Map((await readFields(desk.db, desk.school_id, field_scene)).map(row => [row.field_code, row]))
  const sensitive = await sensitiveProps(desk, field_scene)
  const fields = columns.map(({ prop, label, required, options, note = '' }, at) => {
    const own = set.get(prop)
    const is_fixed = fixed.has(prop)
    const asked = required && !given_by_school.has(prop)
    const { shown, required: needed, order_no } = own ?? { shown: asked, required: asked, order_no: at + 1 }
    return { field_code: prop, label, shown: is_fixed || shown, required: is_fixed || (shown && needed), is_fixed, order_no, options, note, is_sensitive: sensitive.has(prop) }
  })
  return fields.toSorted((a, b) => a.order_no - b.order_no)
}

/** Columns of the school's own sensitive fields, which nobody is shown in clear. */
async function sensitiveProps(desk: SceneDesk, field_scene: number): Promise<Set<string>> {
  const facet = facetOf(field_scene)
  const fields = facet === null ? [] : await liveFields(desk, facet)
  return new Set(fields.filter(field => field.level === sensitive_level).map(field => `ext.${field.field_code}`))
}
