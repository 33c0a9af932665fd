import { subAppOfPath } from '@campus/school/contract'
import type { NavItem } from '@campus/school/contract'
import { useNoteOpened } from '@campus/school/web'
import { Link } from '@tanstack/react-router'
import { Menu } from 'antd'
import type { MenuProps } from 'antd'
import { useMemo, useState } from 'react'
import type { ReactNode } from 'react'
import { logoAddress } from '../../login/identity-list.ts'
import { familyOf } from '../families.ts'
import { routeTable } from '../route-table.ts'
import { useSession } from '../session/session.ts'
import { openSubApp } from '../sub-app/open-sub-app.ts'
import { GroupIcon } from './group-icon.tsx'
import { entryOf, foldFamilies, litPath, singleOpen, trailOf } from './menu-model.ts'
import { PaletteButton } from './palette-button.tsx'
import { schoolNameSize } from './school-name.ts'

/** Where one starts from; nobody looks for the way back there. */
const homes = ['/IconMenu', '/Dashboard']

type Item = NonNullable<MenuProps['items']>[number]

/** The menu: 230 px, folded 65 px with flyouts; one submenu open at a time; the entry of the page, or of its parent, is lit. */
export function Sidebar({ folded, path }: { folded: boolean; path: string }): ReactNode {
  const session = useSession()
  const menu = useMemo(() => foldFamilies(session.menu, familyOf), [session.menu])
  const own = litPath(path, routeTable.get(path)?.fact)
  const lit = entryOf(menu, own, familyOf)
  const trail = trailOf(menu, lit)
  const holder = keyOf(trail[0])
  useNoteOpened(homes.includes(own) ? undefined : trailOf(session.menu, own).at(-1)?.path)
  const [open, setOpen] = useState<string[]>(holder ? [holder] : [])
  const [followed, setFollowed] = useState(holder)
  if (holder !== followed) {
    setFollowed(holder)
    if (holder) setOpen([holder])
  }
  const items = useMemo(() => menu.map((nav) => itemOf(nav, true)), [menu])
  return (
    <aside className={folded ? 'app-sidebar app-sidebar-folded' : 'app-sidebar'} aria-label="侧边栏">
      <SchoolHead folded={folded} />
      <PaletteButton folded={folded} />
      <nav className="app-menu" aria-label="主菜单">
        <Menu
          mode="inline"
          inlineCollapsed={folded}
          inlineIndent={16}
          items={items}
          selectedKeys={[lit]}
          onClick={({ key }) => openApp(key)}
          {...(folded ? {} : { openKeys: open, onOpenChange: (keys: string[]) => setOpen(singleOpen(open, keys)) })}
        />
      </nav>
    </aside>
  )
}

function SchoolHead({ folded }: { folded: boolean }): ReactNode {
  const { school } = useSession()
  const logo = logoAddress(school.school_logo_url ?? school.school_logo)
  return (
    <div className="app-school" title={school.school_name}>
      {logo ? <img className="app-logo" src={logo} alt="" /> : <span className="app-logo app-logo-letter" aria-hidden>{school.school_name.slice(0, 1)}</span>}
      {!folded && (
        <span className="app-school-name" style={{ fontSize: schoolNameSize(school.school_name) }}>
          {school.school_name}
        </span>
      )}
    </div>
  )
}

// Only the top of the tree carries icons: quieter, and the icons of all pages stay out of the first load.
function itemOf(nav: NavItem, top: boolean): Item {
  const icon = top ? <GroupIcon name={nav.icon} /> : undefined
  const name = nav.show_name || nav.name
  if (nav.children.length > 0) return { key: keyOf(nav) ?? '', icon, label: name, children: nav.children.map((child) => itemOf(child, false)) }
  if (subAppOfPath(nav.path) !== null) return { key: nav.path, icon, title: `${name}，在新标签页打开`, label: <span>{name} <span aria-hidden>↗</span></span> }
  return { key: nav.path, icon, title: name, label: <Link to={nav.path}>{name}</Link> }
}

/** Pages are links and open by themselves; a sub-application has no address before it is asked for. */
function openApp(key: string): void {
  const app = subAppOfPath(key)
  if (app !== null) void openSubApp(app)
}

function keyOf(nav: NavItem | undefined): string | undefined {
  return nav && (nav.path || `group-${nav.id}`)
}
