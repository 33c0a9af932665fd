import { subAppOfPath } from '@campus/school/contract'
import type { NavItem } from '@campus/school/contract'
import { Link } from '@tanstack/react-router'
import { use } from 'react'
import type { ReactNode } from 'react'
import { schoolPorts } from '../ports.ts'
import { BadgesContext } from './badges.ts'
import type { QuickEdit } from './use-quick-edit.ts'

const most_shown = 99

/** Draws the icon of a page by its name; the icons belong to the shell. */
export type Icon = (name: string) => ReactNode

/** One page or sub-application as a big icon; while the quick row is being changed it is a switch instead of a link. */
export function Tile({ page, icon, edit }: { page: NavItem; icon: Icon; edit?: QuickEdit }): ReactNode {
  const badge = use(BadgesContext).get(page.path)
  const face = (
    <>
      {icon(page.icon)}
      <span className="icons-name">{page.show_name}</span>
      {badge && !edit?.draft && <span className="icons-badge" title={badge.text}><span aria-hidden>{badge.count > most_shown ? `${most_shown}+` : badge.count}</span><span className="kit-hidden">，{badge.text}</span></span>}
    </>
  )
  const app = subAppOfPath(page.path)
  if (!edit?.draft && app !== null) {
    return (
      <button type="button" className="icons-tile icons-app" title={`${page.show_name}，在新标签页打开`} onClick={() => void schoolPorts().openSubApp(app)}>
        {face}
        <span className="icons-mark" aria-hidden>↗</span>
      </button>
    )
  }
  if (!edit?.draft) return <Link to={page.path} className="icons-tile">{face}</Link>
  const held = edit.draft.some(({ path }) => path === page.path)
  const off = edit.full && !held
  return (
    <button
      type="button" className="icons-tile icons-switch" aria-pressed={held} aria-disabled={off} aria-label={`${page.show_name}，快捷入口`}
      title={off ? '快捷入口已满，请先移除一个' : undefined} onClick={() => off || edit.toggle(page)}
    >
      {face}
      <span className="icons-mark" aria-hidden>{held ? '✓' : '+'}</span>
    </button>
  )
}
