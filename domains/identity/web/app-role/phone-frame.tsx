import { appModuleName } from '@campus/identity/contract'
import { Empty } from 'antd'
import type { ReactNode } from 'react'
import type { Arrangement } from './arrange.ts'
import { ModuleIcon } from './module-icon.tsx'

/** What the phone of somebody with this role alone shows, in its order. */
export function PhoneFrame({ all, title }: { all: Arrangement; title: string }): ReactNode {
  const shown = all.filter(({ visible }) => visible)
  return (
    <section className="app-role-phone" aria-label="手机预览">
      <header><b title={title}>{title}</b><small>{shown.length}个模块</small></header>
      {shown.length === 0 && <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="没有可见的模块" />}
      <ul>{shown.map(({ module_code }) => <li key={module_code}><ModuleIcon code={module_code} /><span>{appModuleName(module_code)}</span></li>)}</ul>
      <footer aria-hidden><i /></footer>
    </section>
  )
}
