import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'

/** Unknown path. */
export function NotFound(): ReactNode {
  return (
    <div className="app-whole" data-ready="not-found">
      <span className="app-whole-code" aria-hidden>404</span>
      <h1>抱歉，您访问的页面不存在</h1>
      <Link to="/Dashboard">返回首页</Link>
    </div>
  )
}
