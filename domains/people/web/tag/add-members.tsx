import { pickerApi } from '@campus/people/contract'
import type { TagRow } from '@campus/people/contract'
import { Button } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { PeopleSelect } from './people-select.tsx'

const pupil = 1
const parent = 3

/** Finds pupils or staff by name, pinyin or number and gives them the tag; parents are tagged in their own list. */
export function AddMembers({ tag, busy, add }: { tag: TagRow; busy: boolean; add: (user_ids: string[]) => Promise<boolean> }): ReactNode {
  const [chosen, choose] = useState<string[]>([])
  const takes_pupils = tag.person_kinds.includes(pupil)
  const takes_staff = tag.person_kinds.some(kind => kind !== pupil && kind !== parent)
  if (!takes_pupils && !takes_staff) return null
  const save = async () => {
    if (await add(chosen)) choose([])
  }
  return (
    <div className="tag-add">
      <PeopleSelect from={[...(takes_pupils ? [pickerApi.student] : []), ...(takes_staff ? [pickerApi.teacher] : [])]} value={chosen} onChange={choose} />
      <Button type="primary" disabled={chosen.length === 0} loading={busy} onClick={() => void save()}>添加{chosen.length > 0 ? `（${chosen.length}）` : ''}</Button>
    </div>
  )
}
