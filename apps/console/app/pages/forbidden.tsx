import { explain_need, ExplainDoor } from '@campus/identity/web'
import { Can } from '@kit/web'
import { Link, useLocation } from '@tanstack/react-router'
import { Button } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { useSession } from '../session/session.ts'

/** A known page the identity may not open; whoever may ask is told why, step by step. */
export function Forbidden(): ReactNode {
  const { role, person } = useSession()
  const { pathname } = useLocation()
  const [asked, ask] = useState(false)
  return (
    <div className="app-whole" data-ready="forbidden">
      <span className="app-whole-code" aria-hidden>403</span>
      <h1>无权限查看</h1>
      <p>当前身份“{role.name}”没有此页面的查看权限，如需使用请联系管理人员。</p>
      <Can code={explain_need}><Button onClick={() => ask(true)}>权限诊断</Button></Can>
      <Link to="/Dashboard">返回首页</Link>
      {asked && <ExplainDoor person={person} role_no={role.id} path={pathname} onClose={() => ask(false)} />}
    </div>
  )
}
