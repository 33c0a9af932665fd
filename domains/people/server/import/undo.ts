import type { ApplyStep, ImportUndo, UndoRow } from '@campus/jobs/server'
import { peopleEvents } from '@campus/people/contract'
import { z } from 'zod'
import type { PeopleDb } from '../db.ts'
import { archiveTouched } from './archive.ts'
import type { Touched } from './archive.ts'
import { openBefore } from './before.ts'
import { idsOf, Image, imagesOf, lockParts, marksOf } from './image.ts'
import { restoreParts } from './restore.ts'
import type { Part } from './restore.ts'
import { reopenEntries } from '../register/entry.queries.ts'
import { tellFiles, tellPeople } from '../told.ts'

const Kept = z.array(z.object({ key: z.string(), image: Image.nullable() }))

const reasons: Readonly<Record<string, string>> = {
  s: '学生信息在导入后已被修改',
  c: '班级、部门或在校状态在导入后已变动',
  l: '学生的家长关联在导入后已变动',
  p: '家长信息在导入后已被修改',
  f: '教职工信息在导入后已被修改',
  w: '教职工的状态或职务在导入后已变动',
  v: '车牌号在导入后已变动',
  u: '导入的人员已被其他业务使用',
}

/** Taking back imports of pupils, parents and staff (chapter 20 §6): made people vanish, changed rows return exactly as they were. */
export const peopleUndo: ImportUndo<PeopleDb> = {
  async marks({ db, school_id, batch_no, app }, keys, lock) {
    if (lock) await lockParts(db, school_id, keys)
    return marksOf({ db, school_id, batch_no, mark_key: app.secrets.id_index_key }, keys)
  },
  reason: key => reasons[key.slice(0, 1)] ?? '数据在导入后已变动',
  undo: (step, rows, kept) => undoRows(step, rows, kept),
}

async function undoRows(step: ApplyStep<PeopleDb>, rows: readonly UndoRow[], kept: ReadonlySet<string>): Promise<void> {
  const { db, school_id, app } = step
  const told = rows.flatMap(({ before }) => (before === null ? [] : Kept.parse(openBefore(app.secrets.data_key, school_id, before)))).filter(({ key }) => !kept.has(key))
  await reopenEntries(db, step, rows.map(row => row.target_id))
  const current = await imagesOf(db, school_id, told.map(({ key }) => key))
  const parts: Part[] = told.map(({ key, image }) => ({ key, before: image, current: current.get(key) ?? null }))
  await restoreParts(db, school_id, parts)
  await archiveTouched(step, parts.flatMap(part => journalLine(part, step.batch_no)), 'undo')
  await tellFiles(step, parts.flatMap(restoredFields))
  await tellPeople(step, peopleEvents.personPurged, parts.flatMap(({ key, before }) => (before === null ? [...idsOf('s', [key]), ...idsOf('p', [key]), ...idsOf('f', [key])] : [])))
}

/** Which columns of a person, or whose links, are again as they were. */
function restoredFields({ key, before, current }: Part): { person_id: string; changes: { field: string }[] }[] {
  if (before === null || current === null) return []
  const person_id = key.slice(2)
  if (idsOf('l', [key]).length > 0) return [{ person_id, changes: [{ field: 'parents' }] }]
  const changed = ['person', 'student', 'staff'].flatMap(table => {
    const [was = {}] = before[table] ?? []
    const [is = {}] = current[table] ?? []
    return [...new Set([...Object.keys(was), ...Object.keys(is)])].filter(column => JSON.stringify(was[column]) !== JSON.stringify(is[column]))
  })
  return [{ person_id, changes: changed.map(field => ({ field })) }]
}

/** One line a person in the archive journal: changed back, or taken away. */
function journalLine({ key, before, current }: Part, batch_no: string): Touched[] {
  const [pupil] = idsOf('s', [key])
  const [teacher = pupil] = idsOf('f', [key])
  const [user_id = teacher] = idsOf('p', [key])
  const person = current?.person?.[0]
  if (user_id === undefined || !person) return []
  const change = { field: 'import', label: '撤销导入', before: batch_no, after: before ? '已还原' : '已移除' }
  return [{ user_id, person_kind: pupil !== undefined ? 1 : teacher !== undefined ? 2 : 3, person_name: String(person.user_name ?? ''), changes: [change] }]
}
