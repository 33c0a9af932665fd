import { MoreOutlined } from '@ant-design/icons'
import { peopleErrors, tagApi } from '@campus/people/contract'
import type { TagRow } from '@campus/people/contract'
import { call, confirmDanger, toast } from '@kit/web'
import { Button, Dropdown, Tag } from 'antd'
import type { ReactNode } from 'react'
import { TagChip } from './tag-chip.tsx'
import { tagLine } from './tag-words.ts'
import { useTagsChanged } from './use-tags.ts'

type Props = { tag: TagRow; /** the tags in use, in order */ order: readonly TagRow[]; nameOf: (dept_id: string) => string | undefined; edit: () => void; show: () => void }

/** One tag of the wall: how many have it and how they come to it; a click shows who. */
export function TagCard({ tag, order, nameOf, edit, show }: Props): ReactNode {
  const acts = useTagActs(tag, order)
  const at = order.findIndex(one => one.id === tag.id)
  const items = [
    { key: 'edit', label: '编辑', onClick: edit },
    { key: 'up', label: '前移', disabled: at <= 0, onClick: () => void acts.move(-1) },
    { key: 'down', label: '后移', disabled: at < 0 || at === order.length - 1, onClick: () => void acts.move(1) },
    { key: 'archive', label: tag.archived ? '启用' : '停用', onClick: () => void acts.archive() },
    { key: 'remove', label: '删除', danger: true, onClick: () => void acts.remove() },
  ]
  return (
    <li className="tag-card" data-archived={tag.archived}>
      <button type="button" className="tag-open" onClick={show}>
        <span><TagChip name={tag.tag_name} color={tag.color} />{tag.is_sensitive && <Tag>敏感</Tag>}{tag.archived && <Tag>已停用</Tag>}</span>
        <b>{tag.count.toLocaleString('en-US')} 人</b>
        <small className="tag-line" title={tagLine(tag, nameOf)}>{tagLine(tag, nameOf)}</small>
      </button>
      <Dropdown trigger={['click']} menu={{ items }}>
        <Button type="text" size="small" icon={<MoreOutlined aria-hidden />} aria-label={`管理标签 ${tag.tag_name}`} aria-haspopup="menu" />
      </Dropdown>
    </li>
  )
}

function useTagActs(tag: TagRow, order: readonly TagRow[]) {
  const changed = useTagsChanged()
  const run = async (change: () => Promise<unknown>, done: string) => {
    try {
      await change()
      toast.success(done)
    } catch {
      // The refusal has been said.
    }
    await changed()
  }
  return {
    move: (steps: number) => run(() => call(tagApi.sort, { ids: moved(order.map(one => one.id), tag.id, steps) }), '设置成功'),
    archive: () => run(() => call(tagApi.update, { id: tag.id, row_version: tag.row_version, archived: !tag.archived }), tag.archived ? '已启用' : '已停用'),
    remove: async () => {
      const touches = tag.kind === 'rule' ? '规则标签没有手动添加的人员，删除后不能恢复。' : `从未添加过人员的标签才能删除；${peopleErrors.tagInUse.msg.split('，').at(-1) ?? ''}。`
      if (await confirmDanger({ title: `删除标签“${tag.tag_name}”？`, touches, ok: '删除' })) await run(() => call(tagApi.remove, { id: tag.id }), '删除成功!')
    },
  }
}

function moved(ids: readonly string[], id: string, steps: number): string[] {
  const rest = ids.filter(one => one !== id)
  const to = ids.indexOf(id) + steps
  return [...rest.slice(0, to), id, ...rest.slice(to)]
}
