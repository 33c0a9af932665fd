import { IconMenu } from '@campus/school/web'
import type { NavItem } from '@campus/school/contract'
import type { ReactNode } from 'react'
import { pagesOf } from '../layout/menu-model.ts'
import { drawIcon } from '../layout/page-icon.tsx'
import { useSession, useSessionStore } from '../session/session.ts'

const OWN_PATH = '/IconMenu'

/** 应用中心 over the menu and the quick row of the session. */
export default function IconMenuPage(): ReactNode {
  const { menu, quick } = useSession()
  const groups = menu.map(group => ({ ...group, children: withoutOwn(pagesOf(group.children)) })).filter(group => group.children.length > 0)
  return <IconMenu menu={groups} quick={withoutOwn(quick)} icon={drawIcon} onQuick={takeQuick} />
}

function withoutOwn(pages: readonly NavItem[]): NavItem[] {
  return pages.filter(page => page.path !== OWN_PATH)
}

function takeQuick(quick: NavItem[]): void {
  useSessionStore.setState(({ session }) => ({ session: session && { ...session, quick } }))
}
