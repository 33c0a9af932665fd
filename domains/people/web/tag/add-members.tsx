import type { TagRow, TreePerson } from '@campus/people/contract'
import { Button } from 'antd'
import { lazy, Suspense, useState } from 'react'
import type { ReactNode } from 'react'
import { PeoplePicker } from '../picker/person-picker.tsx'

const PeopleTree = lazy(() => import('./people-tree.tsx').then(part => ({ default: part.PeopleTree })))

const pupil = 1
const parent = 3
const sides = { student: '按班级选择', staff: '按部门选择' } as const

/** Finds pupils or staff by name, pinyin or number, or takes whole classes and departments, and gives them the tag; parents are tagged in their own list. */
export function AddMembers({ tag, busy, add }: { tag: TagRow; busy: boolean; add: (user_ids: string[]) => Promise<boolean> }): ReactNode {
  const [chosen, choose] = useState<string[]>([])
  const [tree, openTree] = useState<keyof typeof sides | null>(null)
  const takes_pupils = tag.person_kinds.includes(pupil)
  const takes_staff = tag.person_kinds.some(kind => kind !== pupil && kind !== parent)
  if (!takes_pupils && !takes_staff) return null
  const save = async () => {
    if (await add(chosen)) choose([])
  }
  const take = (people: readonly TreePerson[]) => {
    openTree(null)
    void add(people.map(person => person.id))
  }
  return (
    <div className="tag-add">
      <PeoplePicker label="查找人员" of={[...(takes_pupils ? (['student'] as const) : []), ...(takes_staff ? (['teacher'] as const) : [])]} value={chosen} onChange={choose} />
      <Button type="primary" disabled={chosen.length === 0} loading={busy} onClick={() => void save()}>添加{chosen.length > 0 ? `（${chosen.length}）` : ''}</Button>
      {takes_pupils && <Button onClick={() => openTree('student')}>{sides.student}</Button>}
      {takes_staff && <Button onClick={() => openTree('staff')}>{sides.staff}</Button>}
      <Suspense fallback={null}>{tree && <PeopleTree tree={tree} title={sides[tree]} onChoose={take} onClose={() => openTree(null)} />}</Suspense>
    </div>
  )
}
