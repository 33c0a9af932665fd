import { MenuFoldOutlined, MenuUnfoldOutlined } from '@ant-design/icons'
import { TodayTag } from '@campus/calendar/web'
import { ActingTag } from '@campus/people/web'
import { Button, Tag } from 'antd'
import { Suspense, useMemo } from 'react'
import type { ReactNode } from 'react'
import { HelpButton } from '../help/help-button.tsx'
import { familyOf } from '../families.ts'
import { routeTable } from '../route-table.ts'
import { useSession } from '../session/session.ts'
import { JobBell } from './job-bell.tsx'
import { entryOf, foldFamilies, litPath, trailOf } from './menu-model.ts'
import { MessageBell } from './message-bell.tsx'
import { UserMenu } from './user-menu.tsx'

/** Fold, where you are, help, running jobs, unread messages, who you are. */
export function TopBar({ folded, onFold, path }: { folded: boolean; onFold: () => void; path: string }): ReactNode {
  const { role, school, config } = useSession()
  return (
    <header className="app-top">
      <Button
        type="text"
        icon={folded ? <MenuUnfoldOutlined /> : <MenuFoldOutlined />}
        aria-label={folded ? '展开菜单' : '收起菜单'}
        aria-expanded={!folded}
        onClick={onFold}
      />
      <Trail path={path} />
      <div className="app-top-right">
        <TodayTag />
        {config.open_ai_help === 1 && <HelpButton path={path} />}
        <JobBell />
        <MessageBell />
        <Suspense><ActingTag /></Suspense>
        <Tag color="blue" variant="filled" className="app-role">{`${role.name} · ${school.school_name}`}</Tag>
        <UserMenu />
      </div>
    </header>
  )
}

function Trail({ path }: { path: string }): ReactNode {
  const session = useSession()
  const menu = useMemo(() => foldFamilies(session.menu, familyOf), [session.menu])
  const fact = routeTable.get(path)?.fact
  const names = trailOf(menu, entryOf(menu, litPath(path, fact), familyOf)).map((nav) => nav.show_name || nav.name)
  if (fact && (names.length === 0 || fact.active_menu)) names.push(fact.title)
  if (fact?.family) names.push(fact.family.tab)
  return (
    <nav className="app-trail" aria-label="当前位置">
      <ol>
        {names.map((name) => <li key={name}>{name}</li>)}
      </ol>
    </nav>
  )
}
