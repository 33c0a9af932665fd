import { CardFrame } from '@kit/web/dashboard'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useCardViews } from '../cards.ts'
import { product_version } from '../version.ts'

const shelf = '今日'

/** 今日: who has come, who has not and why, what is broken (design `screens.md` §6). Every domain brings its card; each opens its page. */
export function Today(): ReactNode {
  const views = useCardViews().filter(({ fact }) => fact.shelf === shelf)
  if (views.length === 0) return null
  return (
    <div className="app-today">
      {views.map(view => (
        <CardFrame key={view.fact.code} view={view} version={product_version} more={view.fact.path && <Link to={view.fact.path} aria-label={`查看${view.fact.title}`}>查看</Link>} />
      ))}
    </div>
  )
}
