import type { RoleMatrix } from '@campus/identity/contract'
import { mayDiscard } from '@kit/web'
import { ArrowLeftOutlined } from '@ant-design/icons'
import { Link, useBlocker } from '@tanstack/react-router'
import { Alert, Button } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { changeText } from './change-text.ts'
import { MatrixGrid } from './matrix-grid.tsx'
import { MenuPreview } from './menu-preview.tsx'
import { SaveDialog } from './save-dialog.tsx'
import { ScopeCard } from './scope-card.tsx'
import { useMatrixDraft } from './use-matrix-draft.ts'

/** The matrix, what surrounds it, and the bar that saves. */
export function MatrixEditor({ matrix }: { matrix: RoleMatrix }): ReactNode {
  const draft = useMatrixDraft(matrix)
  const [asking, ask] = useState(false)
  const { base, change, moved, is_dirty, saving } = draft
  useBlocker({ shouldBlockFn: async () => is_dirty && !(await mayDiscard()), enableBeforeUnload: () => is_dirty, disabled: !is_dirty })
  const confirm = async () => {
    await draft.save()
    ask(false)
  }
  const discard = async () => {
    if (await mayDiscard()) draft.discard()
  }
  return (
    <>
      <header className="matrix-head">
        <Link to="/RoleGroupSet" className="kit-link" aria-label="返回角色组设置"><ArrowLeftOutlined aria-hidden />返回</Link>
        <h2 title={base.role_name}>{base.role_name}</h2>
        <small>{base.role_code}</small>
        <span className="matrix-reach">{base.affected.members}人持有，{base.affected.online}人在线</span>
      </header>
      {base.locked !== null && <Alert type="info" showIcon title={base.locked} />}
      {saving.refused !== null && (
        <Alert type="warning" showIcon title={draft.is_stale ? '数据已被他人修改，您的选择还在。重新读取后会叠加到最新的权限上，请核对后再保存' : saving.refused} action={draft.is_stale && <Button size="small" loading={saving.busy} onClick={() => void draft.reread()}>重新读取</Button>} />
      )}
      <div className="matrix-body">
        <MatrixGrid modules={base.modules} choice={draft.choice} choose={draft.choose} locked={base.locked} />
        <aside className="matrix-side" aria-label="数据范围与预览">
          <ScopeCard draft={draft} />
          <MenuPreview role_id={base.role_id} change={change} />
        </aside>
      </div>
      <footer className="matrix-foot">
        <span aria-live="polite">
          {is_dirty ? [changeText(change), moved.length > 0 ? '数据范围已修改' : '', '尚未保存'].filter(text => text !== '').join('，') : '没有未保存的修改'}
        </span>
        <Button disabled={!is_dirty} onClick={() => void discard()}>放弃修改</Button>
        <Button type="primary" disabled={!is_dirty || !draft.is_complete || base.locked !== null} loading={saving.busy} onClick={() => ask(true)}>保存</Button>
      </footer>
      <SaveDialog open={asking} draft={draft} onOk={() => void confirm()} onCancel={() => ask(false)} />
    </>
  )
}
