import type { TagMark } from '@campus/people/contract'
import type { FilterControl } from '@kit/web'
import { Can } from '@kit/web'
import { Button, Select } from 'antd'
import { lazy, Suspense, useState } from 'react'
import type { ReactNode } from 'react'
import { tag_code } from './tag-choices.ts'
import type { TagChoice } from './tag-choice.ts'
import { TagChip } from './tag-chip.tsx'

const Dialog = lazy(() => import('./give-dialog.tsx').then(part => ({ default: part.GiveDialog })))

type Tagged = { user_id: string; user_name: string }

/** 打标签 for the chosen rows. */
export function TagChosen({ rows, person_kind = 1 }: { rows: readonly Tagged[]; person_kind?: number }): ReactNode {
  const [opened, open] = useState<readonly Tagged[] | null>(null)
  return (
    <Can code={tag_code}>
      {rows.length > 0 && <Button onClick={() => open(rows)}>打标签</Button>}
      <Suspense>{opened && <Dialog rows={opened} person_kind={person_kind} onClose={() => open(null)} />}</Suspense>
    </Can>
  )
}

/** The tags of one row. */
export function TagMarks({ tags }: { tags: readonly TagMark[] }): ReactNode {
  return <span className="people-children">{tags.map(tag => <TagChip key={tag.id} name={tag.tag_name} color={tag.color} />)}</span>
}

/** Who has one of the chosen tags. */
export function tagFilter(choices: readonly TagChoice[]): FilterControl {
  const asked = (text: string | undefined) => (text ? text.split(',') : [])
  return {
    names: ['tag_ids'],
    text: ({ tag_ids }) => (tag_ids ? asked(tag_ids).map(id => choices.find(choice => choice.value === id)?.label ?? '已停用的标签').join('、') : undefined),
    Input: ({ id, values, change }) => (
      <Select<string[]>
        id={id} className="kit-fill" mode="multiple" allowClear maxTagCount="responsive" placeholder="全部" notFoundContent="还没有标签" showSearch={{ optionFilterProp: 'label' }}
        options={choices.map(({ value, label }) => ({ value, label }))} value={asked(values.tag_ids)} onChange={ids => change({ tag_ids: ids.length > 0 ? ids.join(',') : undefined })}
      />
    ),
  }
}
