import { subAppOfPath } from '@campus/school/contract'
import type { NavItem } from '@campus/school/contract'
import { rankTitle } from '@kit/contract/search'
import { PageFrame } from '@kit/web'
import { useRouter } from '@tanstack/react-router'
import { Input } from 'antd'
import type { InputRef } from 'antd'
import { useEffect, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { schoolPorts } from '../ports.ts'
import { SetupCard, SetupPutAway } from '../setup-card.tsx'
import { QuickRow } from './quick-row.tsx'
import { useRecentPaths } from './recent-pages.ts'
import { Tile } from './tile.tsx'
import type { Icon } from './tile.tsx'
import { BadgesContext, useBadges } from './badges.ts'
import { useQuickEdit } from './use-quick-edit.ts'
import type { QuickEdit } from './use-quick-edit.ts'

/** `menu`: the groups with their pages; `quick`: the quick row; both without this page itself. */
type Props = { menu: readonly NavItem[]; quick: readonly NavItem[]; icon: Icon; onQuick: (quick: NavItem[]) => void }

/** 应用中心: every page of the menu as a big icon, the own quick row, the pages opened last, and a search over all of them. */
export function IconMenu({ menu, quick, icon, onQuick }: Props): ReactNode {
  const [text, setText] = useState('')
  const edit = useQuickEdit(quick, onQuick)
  const recent = useRecentPaths()
  const badges = useBadges()
  const pages = menu.flatMap(group => group.children)
  const opened = recent.flatMap(path => pages.find(page => page.path === path) ?? [])
  if (pages.length === 0) return <div className="app-whole" data-ready="empty"><p>未配置功能模块</p></div>
  return (
    <BadgesContext value={badges}>
      <div className="icons-page" data-ready="icon-menu">
        <PageFrame actions={<Search text={text} onText={setText} pages={pages} />} />
        {text.trim() === '' ? (
          <>
            <QuickRow quick={quick} edit={edit} icon={icon} />
            {!edit.draft && <SetupCard />}
            {opened.length > 0 && !edit.draft && <Group title="最近使用" pages={opened} icon={icon} />}
            <div className="icons-groups">
              {menu.map(({ id, show_name, children }) => (
                <div key={id} style={{ flexGrow: children.length, flexBasis: Math.min(children.length, wide) * TILE_PX + EDGE_PX }}>
                  <Group title={show_name} pages={children} icon={icon} edit={edit} />
                </div>
              ))}
            </div>
          </>
        ) : (
          <Found text={text.trim()} pages={pages} icon={icon} edit={edit} />
        )}
        <SetupPutAway />
      </div>
    </BadgesContext>
  )
}

// Small groups share a line: each is as wide as its tiles, with the gaps between them and its edges.
const TILE_PX = 120
const EDGE_PX = 34
const wide = 8

type GroupProps = { title: string; pages: readonly NavItem[]; icon: Icon; edit?: QuickEdit }

function Group({ title, pages, icon, edit }: GroupProps): ReactNode {
  return (
    <section className="icons-card" aria-label={title}>
      <header><h2>{title}</h2></header>
      <div className="icons-grid">{pages.map(page => <Tile key={page.path} page={page} icon={icon} edit={edit} />)}</div>
    </section>
  )
}

function Found({ text, pages, icon, edit }: { text: string; pages: readonly NavItem[]; icon: Icon; edit: QuickEdit }): ReactNode {
  const found = foundPages(pages, text)
  return (
    <>
      <p className="icons-count" role="status">{found.length === 0 ? `没有找到“${text}”，可按页面名称或拼音首字母查找` : `找到${found.length}个应用`}</p>
      {found.length > 0 && <Group title="查找结果" pages={found} icon={icon} edit={edit} />}
    </>
  )
}

/** Enter opens what fits best; `/` comes here from anywhere on the page. */
function Search({ text, onText, pages }: { text: string; onText: (text: string) => void; pages: readonly NavItem[] }): ReactNode {
  const { history } = useRouter()
  const input = useRef<InputRef>(null)
  useEffect(() => {
    const focus = (event: KeyboardEvent) => {
      if (event.key !== '/' || event.target instanceof HTMLInputElement) return
      event.preventDefault()
      input.current?.focus()
    }
    window.addEventListener('keydown', focus)
    return () => window.removeEventListener('keydown', focus)
  }, [])
  const open = () => {
    const best = text.trim() === '' ? undefined : foundPages(pages, text)[0]
    const app = best && subAppOfPath(best.path)
    if (app) void schoolPorts().openSubApp(app)
    else if (best) history.push(best.path)
  }
  return (
    <Input
      ref={input} className="icons-search" allowClear maxLength={30} aria-label="搜索应用" placeholder="页面名称或拼音首字母，按 / 键输入"
      value={text} onChange={event => onText(event.target.value)} onPressEnter={event => event.nativeEvent.isComposing || open()}
    />
  )
}

function foundPages(pages: readonly NavItem[], text: string): NavItem[] {
  const ranked = pages.flatMap(page => {
    const rank = rankTitle(page.show_name, text)
    return rank === null ? [] : [{ page, rank }]
  })
  return ranked.toSorted((a, b) => a.rank - b.rank).map(({ page }) => page)
}
