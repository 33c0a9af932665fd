import { registry, registry_props } from '@campus/people/contract'
import type { FileGuardian, PersonFile } from '@campus/people/contract'
import { commonErrors, fail } from '@kit/contract'
import { maskMobile } from '@kit/contract/checks'
import { schoolDay } from './day.ts'
import type { PeopleCtx } from './db.ts'
import { customOf } from './field/ext.ts'
import { photoUrl } from './photo/photo-url.ts'
import { labelsOn } from './dept.service.ts'
import { shownValue } from './import/field.ts'
import { divisions } from './import/divisions.ts'
import { deptScope } from './scope.ts'
import { guardianLinks, labelOf, memberSince, pupilOnRoll, stateSpans } from './student-file.queries.ts'
import type { FileLink, FilePupil } from './student-file.queries.ts'
import { fileValue } from './student-file.values.ts'

/**
 * The file of one pupil on the roll, protected fields masked.
 * @throws Refusal 404 for everybody outside scope or school, and for people who are no pupils on the roll
 */
export async function readFile(ctx: PeopleCtx, { id }: { id: string }): Promise<PersonFile> {
  const { db, school_id } = ctx
  const today = schoolDay(ctx.now)
  const pupil = await pupilOnRoll(db, { school_id, user_id: id, scope: await deptScope(ctx, 'student', today), today })
  if (!pupil) throw fail(commonErrors.notFound)
  const { user_id, row_version, dept_id, state, state_until, created_at, updated_at, updated_by } = pupil
  const labels = await labelsOn(ctx, dept_id === null ? [] : [dept_id], today)
  return {
    user_id,
    row_version,
    dept_id,
    dept_name: dept_id === null ? null : (labels.get(dept_id) ?? null),
    member_since: await memberSince(db, school_id, user_id, today),
    state,
    state_until,
    states: await stateSpans(db, school_id, user_id),
    photo_url: photoUrl(ctx, pupil.photo_file_key),
    ...registryOf(pupil),
    custom: await customOf(ctx, 'student', pupil.ext),
    parents: (await guardianLinks(db, school_id, user_id, today)).map(toGuardian),
    created_at: created_at.toISOString(),
    updated_at: updated_at.toISOString(),
    updated_by: await labelOf(db, school_id, updated_by),
  }
}

function registryOf(pupil: FilePupil): Pick<PersonFile, 'registry' | 'masked' | 'division_names'> {
  const values = new Map(registry_props.map(prop => [prop, prop === 'id_no' ? pupil.id_no_mask : fileValue(pupil, prop)]))
  const names = divisions().names
  const codes = registry_props.flatMap(prop => (registry[prop].kind === 'division' ? (values.get(prop) ?? []) : []))
  return {
    registry: asRegistry(prop => shownField(prop, values.get(prop) ?? null)),
    masked: registry_props.filter(prop => registry[prop].masked && values.get(prop) !== null),
    division_names: Object.fromEntries(codes.flatMap(code => (names.has(code) ? [[code, names.get(code) ?? '']] : []))),
  }
}

function asRegistry(value: (prop: keyof PersonFile['registry']) => string | null): PersonFile['registry']
function asRegistry(value: (prop: keyof PersonFile['registry']) => string | null): Record<string, string | null> {
  return Object.fromEntries(registry_props.map(prop => [prop, value(prop)]))
}

function shownField(prop: keyof PersonFile['registry'], value: string | null): string | null {
  if (value === null || prop === 'id_no') return value
  if (registry[prop].kind === 'decimal') return String(Number(value))
  return registry[prop].masked ? shownValue(prop, value, undefined) : value
}

function toGuardian({ parent_user_id, id_no_mask, mobile, ...link }: FileLink): FileGuardian {
  const { row_version, user_name, relation, is_first, is_guardian, can_pickup, id_type, work, edu, is_locked } = link
  return {
    user_id: parent_user_id, row_version, user_name, mobile: mobile === null ? null : maskMobile(mobile), relation, is_first, is_guardian, can_pickup, id_type,
    id_no: id_no_mask, work, edu, is_locked,
  }
}
