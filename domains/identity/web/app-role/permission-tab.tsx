import { appRoleApi } from '@campus/identity/contract'
import type { AppMatrix } from '@campus/identity/contract'
import { call, mayDiscard, useCan, usePage, useSaving } from '@kit/web'
import { PartState } from '@kit/web/part'
import { useQuery } from '@tanstack/react-query'
import { useBlocker } from '@tanstack/react-router'
import { Empty } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { changeOf, choiceOf, laidOver } from '../matrix/choice.ts'
import type { Choice } from '../matrix/choice.ts'
import { changeText } from '../matrix/change-text.ts'
import { MatrixGrid } from '../matrix/matrix-grid.tsx'
import { useKind } from './app-kind.ts'
import { CodesDialog } from './codes-dialog.tsx'
import { SaveBar } from './save-bar.tsx'
import { useAppRolesChanged } from './use-app-roles.ts'

type Matrix = AppMatrix

/** 操作权限: what somebody with this role may do in the sub-applications. */
export function PermissionTab({ role_id }: { role_id: string }): ReactNode {
  const { active } = usePage()
  const { who } = useKind()
  const allowed = useCan(appRoleApi.matrix)
  const query = useQuery({
    queryKey: [appRoleApi.matrix.call, role_id],
    queryFn: ({ signal }) => call(appRoleApi.matrix, { id: role_id }, { signal, quiet: true }),
    enabled: active && allowed,
    // What is being edited is never changed from behind.
    staleTime: Infinity,
    gcTime: 0,
  })
  if (!allowed) return <div className="matrix-card"><Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="没有配置操作权限的权限，请联系管理人员" /></div>
  if (!query.data) return <div className="matrix-card"><PartState query={query} rows={10} /></div>
  if (query.data.modules.length === 0) {
    return <div className="matrix-card app-role-nothing"><Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={<>目前没有需要单独授权的操作。<br />{who}在手机上只办理本人相关的事项；所用模块需要授权时，会列在这里。</>} /></div>
  }
  return <Editor key={query.data.role_id} matrix={query.data} />
}

function Editor({ matrix }: { matrix: Matrix }): ReactNode {
  const [base, setBase] = useState(matrix)
  const [choice, choose] = useState<Choice>(() => choiceOf(matrix.modules))
  const [asking, ask] = useState(false)
  const saving = useSaving()
  const changed = useAppRolesChanged()
  const change = changeOf(base.modules, choice)
  const is_dirty = change.grant.length + change.revoke.length > 0
  useBlocker({ shouldBlockFn: async () => is_dirty && !(await mayDiscard()), enableBeforeUnload: () => is_dirty, disabled: !is_dirty })
  const save = async () => {
    const { role_id, version } = base
    const done = await saving.run(() => call(appRoleApi.saveMatrix, { role_id, version, ...change }, { quiet: true }), '设置成功')
    ask(false)
    // After a refusal too: what was chosen is laid over what somebody else has saved.
    const fresh = await call(appRoleApi.matrix, { id: role_id })
    setBase(fresh)
    choose(done ? choiceOf(fresh.modules) : laidOver(fresh.modules, change))
    await changed()
  }
  return (
    <>
      <MatrixGrid modules={base.modules} choice={choice} choose={choose} locked={null} />
      <SaveBar
        saving={saving}
        is_dirty={is_dirty}
        text={changeText(change)}
        save={() => ask(true)}
        discard={() => choose(choiceOf(base.modules))}
      />
      <CodesDialog open={asking} matrix={base} change={change} busy={saving.busy} onOk={() => void save()} onCancel={() => ask(false)} />
    </>
  )
}
