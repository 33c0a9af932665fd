import { PlusOutlined } from '@ant-design/icons'
import type { TagRow } from '@campus/people/contract'
import { PartState } from '@kit/web/part'
import { Button, Checkbox, Empty } from 'antd'
import { lazy, Suspense, useState } from 'react'
import type { ReactNode } from 'react'
import { useDeptTree } from '../use-dept-tree.ts'
import { TagCard } from './tag-card.tsx'
import { useTags } from './use-tags.ts'
import './tag.css'

const TagDialog = lazy(() => import('./tag-dialog.tsx').then(part => ({ default: part.TagDialog })))
const TagDrawer = lazy(() => import('./tag-drawer.tsx').then(part => ({ default: part.TagDrawer })))

type Opened = { view: 'edit'; tag: TagRow | null } | { view: 'members'; id: string } | null

/** 标签管理: every tag with how many people have it today; a tag opens its members. */
export default function TagManage(): ReactNode {
  const query = useTags()
  const { nameOf } = useDeptTree(undefined)
  const [opened, open] = useState<Opened>(null)
  const [archived, showArchived] = useState(false)
  if (!query.data) {
    return <div className="tag-page" data-ready={query.error ? 'failed' : undefined}><PartState query={query} /></div>
  }
  const live = query.data.filter(tag => !tag.archived)
  const shown = archived ? query.data : live
  const chosen = opened?.view === 'members' ? query.data.find(tag => tag.id === opened.id) : undefined
  const close = () => open(null)
  return (
    <div className="tag-page" data-ready="list">
      <div className="tag-head">
        <p>标签用来给学生、家长和教职工分组：在名册中按标签筛选、导出。手动标签由您添加人员，规则标签按条件自动匹配，每天都是最新的。</p>
        <Checkbox checked={archived} onChange={event => showArchived(event.target.checked)}>显示已停用（{query.data.length - live.length}）</Checkbox>
        <Button type="primary" icon={<PlusOutlined aria-hidden />} onClick={() => open({ view: 'edit', tag: null })}>新增标签</Button>
      </div>
      {shown.length === 0 ? (
        <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="还没有标签，先新增一个，例如“特长生”" />
      ) : (
        <ul className="tag-wall" aria-label="标签">
          {shown.map(tag => (
            <TagCard key={tag.id} tag={tag} order={live} nameOf={nameOf} edit={() => open({ view: 'edit', tag })} show={() => open({ view: 'members', id: tag.id })} />
          ))}
        </ul>
      )}
      <Suspense>
        {opened?.view === 'edit' && <TagDialog tag={opened.tag} onClose={close} />}
        {chosen && <TagDrawer tag={chosen} nameOf={nameOf} onClose={close} />}
      </Suspense>
    </div>
  )
}
