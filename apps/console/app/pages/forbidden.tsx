import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useSession } from '../session/session.ts'

/** A known page the identity may not open. */
export function Forbidden(): ReactNode {
  const { role } = useSession()
  return (
    <div className="app-whole" data-ready="forbidden">
      <span className="app-whole-code" aria-hidden>403</span>
      <h1>无权限查看</h1>
      <p>当前身份“{role.name}”没有此页面的查看权限，如需使用请联系管理人员。</p>
      <Link to="/Dashboard">返回首页</Link>
    </div>
  )
}
