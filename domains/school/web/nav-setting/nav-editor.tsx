import type { NavTree } from '@campus/school/contract'
import { AppModal, mayDiscard } from '@kit/web'
import { useBlocker } from '@tanstack/react-router'
import { Alert, Button } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { changed, nameOf, reordered } from './nav-model.ts'
import { NavList } from './nav-list.tsx'
import { NavNodeDialog } from './nav-node-dialog.tsx'
import { NavPreview } from './nav-preview.tsx'
import { useNavDraft } from './use-nav-draft.ts'
import type { NavDraft } from './use-nav-draft.ts'

/** The menu: groups, the pages of the chosen one, and the sidebar as a role would see it. Nothing is saved before 保存. */
export function NavEditor({ tree, refresh }: { tree: NavTree; refresh: () => Promise<unknown> }): ReactNode {
  const edit = useNavDraft(tree, refresh)
  const [chosen, choose] = useState<number>()
  const [opened, open] = useState<number>()
  const dirty = edit.changes > 0
  useBlocker({ shouldBlockFn: async () => dirty && !(await mayDiscard()), enableBeforeUnload: () => dirty, disabled: !dirty })
  const group = edit.draft.find(({ node }) => node.nav_id === chosen) ?? edit.draft[0]
  const edited = edit.draft.flatMap(one => [one, ...one.children]).find(({ node }) => node.nav_id === opened)
  const change = (nav_id: number, hidden: boolean) => edit.set(changed(edit.draft, nav_id, { hidden }))
  return (
    <div className="nav-editor">
      {edit.refused !== null && <Alert className="nav-wide" type="warning" showIcon title={edit.refused} />}
      <NavList title="菜单分组" items={edit.draft} chosen={group?.node.nav_id} onChoose={choose} onMove={(from, to) => edit.set(reordered(edit.draft, null, from, to))} onHide={change} onOpen={open} />
      {group && <NavList key={group.node.nav_id} title={`“${nameOf(group)}”的页面`} items={group.children} onMove={(from, to) => edit.set(reordered(edit.draft, group.node.nav_id, from, to))} onHide={change} onOpen={open} />}
      <NavPreview draft={edit.draft} />
      <SaveBar edit={edit} />
      {edited && <NavNodeDialog item={edited} onClose={() => open(undefined)} onChange={more => edit.set(changed(edit.draft, edited.node.nav_id, more))} />}
      <StaleDialog edit={edit} />
    </div>
  )
}

function SaveBar({ edit }: { edit: NavDraft }): ReactNode {
  return (
    <footer className="nav-save nav-wide">
      <span role="status">{edit.changes > 0 ? `已修改${edit.changes}处，保存后所有人的菜单随之更新` : '拖动或用↑↓调整顺序；点击“编辑”修改名称、图标和显示'}</span>
      {edit.changes > 0 && <Button onClick={() => void edit.discard()}>放弃修改</Button>}
      <Button type="primary" loading={edit.busy} disabled={edit.changes === 0} onClick={() => void edit.save()}>保存</Button>
    </footer>
  )
}

/** Somebody else has saved meanwhile: nothing that was typed is lost before the person has decided. */
function StaleDialog({ edit }: { edit: NavDraft }): ReactNode {
  const footer = [
    <Button key="later" onClick={edit.later}>返回继续编辑</Button>,
    <Button key="theirs" onClick={() => void edit.takeTheirs()}>放弃我的修改</Button>,
    <Button key="mine" type="primary" loading={edit.busy} onClick={() => void edit.keepMine()}>用我的修改覆盖</Button>,
  ]
  return (
    <AppModal open={edit.stale} width={480} title="数据已被他人修改" footer={footer} onCancel={edit.later}>
      <p>{`在您编辑期间，其他管理员保存过菜单或功能设置。您有${edit.changes}处修改尚未保存：`}</p>
      <ul className="nav-stale">
        <li>放弃我的修改：读取最新的菜单，您的修改不保留；</li>
        <li>用我的修改覆盖：以您现在看到的菜单为准，其他管理员对菜单的修改将被替换。</li>
      </ul>
    </AppModal>
  )
}
