import { facetOf, peopleErrors } from '@campus/people/contract'
import type { FieldFacet } from '@campus/people/contract'
import { fail } from '@kit/contract'
import type { PeopleCtx } from '../db.ts'
import type { FieldDesk } from '../field/ext.ts'
import type { CollectDesk } from './desk.ts'
import { pupilDesk, pupilFields } from './pupil.desk.ts'
import { staffDesk, staffFields } from './staff.desk.ts'
import type { SaidValues } from './values.ts'

type Side = { desk: (ctx: PeopleCtx) => Promise<CollectDesk>; fields: (desk: FieldDesk) => Promise<{ field_code: string; label: string }[]> }
const sides: Readonly<Record<FieldFacet, Side>> = { student: { desk: pupilDesk, fields: pupilFields }, staff: { desk: staffDesk, fields: staffFields } }

/** Whose files a task of this scene is about. @throws Refusal 422 fieldScene for another one */
export function sideOf(field_scene: number): Side {
  const facet = facetOf(field_scene)
  if (facet === null) throw fail(peopleErrors.fieldScene)
  return sides[facet]
}

/** @throws Refusal 422 collectField when one of them is not to be asked, or is named twice */
export async function requireFields(desk: FieldDesk, field_scene: number, field_codes: readonly string[]): Promise<void> {
  const known = new Set((await sideOf(field_scene).fields(desk)).map(({ field_code }) => field_code))
  if (new Set(field_codes).size < field_codes.length || field_codes.some(code => !known.has(code))) throw fail(peopleErrors.collectField)
}

/** @throws Refusal 422 for a field the task does not ask */
export function requireAsked(said: SaidValues, field_codes: readonly string[]): void {
  if (Object.keys(said).some(code => !field_codes.includes(code))) throw fail(peopleErrors.collectField)
}
