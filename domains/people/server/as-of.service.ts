import { archiveChanges } from '@campus/audit/server'
import { registry, registry_props } from '@campus/people/contract'
import type { asOfApi, FileAsOf } from '@campus/people/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Input } from '@kit/contract'
import { changesSince } from './archive-feed.queries.ts'
import { addDays, schoolDay, schoolTime } from './day.ts'
import type { PeopleCtx } from './db.ts'
import { labelsOn } from './dept.service.ts'
import { deptScope } from './scope.ts'
import { customOf } from './field/ext.ts'
import { pupilOnRoll } from './student-file.queries.ts'
import type { FilePupil } from './student-file.queries.ts'
import { shownBefore } from './student-file.values.ts'
import { fileWords } from './student-file.words.ts'
import { guardiansOf, pupilsOf } from './student.queries.ts'

type Asked = Input<typeof asOfApi.asOf> & { id: string }

/**
 * The file of a pupil as it was when a day ended: what the journal says has changed since is taken back from what stands there now.
 * Protected values stay masked, as the journal keeps them (chapter 20 §1.2 archive log).
 * @throws Refusal 404 for everybody outside scope or school and for people who are no pupils on the roll, 400 for a day to come
 */
export async function readAsOf(ctx: PeopleCtx, { id, on }: Asked): Promise<FileAsOf> {
  const { db, school_id } = ctx
  const today = schoolDay(ctx.now)
  if (on > today) throw fail(commonErrors.malformed)
  const pupil = await pupilOnRoll(db, { school_id, user_id: id, scope: await deptScope(ctx, 'student', today), today })
  if (!pupil) throw fail(commonErrors.notFound)
  const since = schoolTime(addDays(on, 1), '00:00')
  const fields = takenBack(await present(ctx, pupil), await changesSince(db, { school_id, person_id: id, since }))
  const [then] = await pupilsOf(db, { school_id, on }, [id])
  const dept_id = then?.dept_id ?? null
  const guardians = await guardiansOf(db, school_id, [id], on)
  ctx.note({ target_kind: 'people.student', target_id: id, target_name: pupil.user_name, after: { as_of: on } })
  return {
    user_id: id,
    on,
    user_name: valueOf(fields, 'user_name'),
    student_no: valueOf(fields, 'student_no'),
    dept_id,
    dept_name: dept_id === null ? null : ((await labelsOn(ctx, [dept_id], on)).get(dept_id) ?? null),
    state: then?.state ?? null,
    fields,
    guardians: guardians.map(({ user_name, relation, is_guardian }) => ({ user_name, relation, is_guardian })),
  }
}

type Field = FileAsOf['fields'][number]

async function present(ctx: PeopleCtx, pupil: FilePupil): Promise<Field[]> {
  const words = await fileWords(ctx)
  const custom = await customOf(ctx, 'student', pupil.ext)
  return [
    ...registry_props.map(field => ({ field, label: registry[field].label, value: shownBefore(field, pupil, words), changed: false })),
    ...custom.map(({ field_code, label, value }) => ({ field: `ext.${field_code}`, label, value: value ?? '', changed: false })),
  ]
}

/** The fields as they were before these changes, the newest of which comes first. */
export function takenBack(fields: readonly Field[], newest_first: readonly unknown[]): Field[] {
  const before = new Map<string, string>()
  for (const changes of newest_first) for (const change of archiveChanges(changes)) before.set(change.field, change.before ?? '')
  return fields.map(field => {
    const value = before.get(field.field)
    return value === undefined || value === field.value ? field : { ...field, value, changed: true }
  })
}

function valueOf(fields: readonly Field[], name: string): string {
  return fields.find(({ field }) => field === name)?.value ?? ''
}
