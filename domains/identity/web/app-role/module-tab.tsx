import { appRoleApi } from '@campus/identity/contract'
import type { AppRoleView } from '@campus/identity/contract'
import { call, mayDiscard, useCan, useSaving } from '@kit/web'
import { useBlocker } from '@tanstack/react-router'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { isSame } from './arrange.ts'
import type { Arrangement } from './arrange.ts'
import { ModulePanes } from './module-panes.tsx'
import { PhoneFrame } from './phone-frame.tsx'
import { SaveBar } from './save-bar.tsx'
import { useAppRolesChanged } from './use-app-roles.ts'

/** 模块: what the client shows, in which order, and how that looks on a phone. */
export function ModuleTab({ role }: { role: AppRoleView }): ReactNode {
  const saved: Arrangement = role.modules.map(({ module_code, visible }) => ({ module_code, visible }))
  const [draft, arrange] = useState<Arrangement | null>(null)
  const saving = useSaving()
  const changed = useAppRolesChanged()
  const locked = !useCan(appRoleApi.bindModule)
  const all = draft ?? saved
  const is_dirty = !isSame(all, saved)
  useBlocker({ shouldBlockFn: async () => is_dirty && !(await mayDiscard()), enableBeforeUnload: () => is_dirty, disabled: !is_dirty })
  const save = async () => {
    if (await saving.run(() => send(role, all), '设置成功')) arrange(null)
    await changed()
  }
  return (
    <>
      <div className="app-role-modules">
        <ModulePanes offered={role.offered} all={all} arrange={arrange} locked={locked} can_hide />
        <aside>
          <PhoneFrame all={all} title={role.name} />
          <p className="role-small">一个人同时属于多个角色时，模块合并显示，位置取最靠前的；某个角色隐藏的模块，其他角色展示时仍可见。</p>
        </aside>
      </div>
      <SaveBar saving={saving} is_dirty={is_dirty} text={`展示${all.filter(({ visible }) => visible).length}个模块`} save={() => void save()} discard={() => arrange(null)} />
    </>
  )
}

/** What was taken out goes first, then everything gets its place; the second call stands on the state the first left. */
async function send({ role_id, row_version, modules, offered }: AppRoleView, all: Arrangement): Promise<void> {
  const gone = modules.map(({ module_code }) => module_code).filter(code => !all.some(({ module_code }) => module_code === code))
  const next = gone.length > 0 ? (await call(appRoleApi.unbindModule, { role_id, row_version, module_codes: gone }, { quiet: true })).row_version : row_version
  const placed = all.map((one, at) => ({ ...one, order: at + 1 })).filter(({ module_code }) => offered.includes(module_code))
  if (placed.length > 0) await call(appRoleApi.bindModule, { role_id, row_version: next, modules: placed }, { quiet: true })
}
