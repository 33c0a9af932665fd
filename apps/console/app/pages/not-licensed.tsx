import { explain_need, ExplainDoor } from '@campus/identity/web'
import { navSettingApi } from '@campus/school/contract'
import { Can } from '@kit/web'
import { Link, useLocation } from '@tanstack/react-router'
import { Button } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { useSession } from '../session/session.ts'

/** A page whose module the school may not use today; whoever may change that is led there. */
export function NotLicensed({ title }: { title: string }): ReactNode {
  const { role, person } = useSession()
  const { pathname } = useLocation()
  const [asked, ask] = useState(false)
  return (
    <div className="app-whole" data-ready="not-licensed">
      <h1>功能未开通或已到期</h1>
      <p>“{title}”当前不可使用，已有数据仍然保留。如需使用请联系管理人员。</p>
      <Can code={navSettingApi.save}><Link to="/SchoolRecord" search={{ tab: 'nav', view: 'modules' }}>去开通</Link></Can>
      <Can code={explain_need}><Button onClick={() => ask(true)}>权限诊断</Button></Can>
      <Link to="/Dashboard">返回首页</Link>
      {asked && <ExplainDoor person={person} role_no={role.id} path={pathname} onClose={() => ask(false)} />}
    </div>
  )
}
