import type { ReactNode } from 'react'
import { Link } from '@tanstack/react-router'
import { routeFacts } from '../families.ts'
import { useSession } from '../session/session.ts'
import { familyMembers } from './menu-model.ts'

/** The tabs of a family of pages, each an address of its own; nothing where the identity may open only one of them. */
export function FamilyTabs({ path }: { path: string }): ReactNode {
  const { paths } = useSession()
  const members = familyMembers(routeFacts(), path).filter(fact => paths.has(fact.path))
  if (members.length < 2) return null
  return (
    <nav className="kit-tabs app-family" aria-label="同类页面">
      {members.map(fact => (
        <Link key={fact.path} to={fact.path} aria-current={fact.path === path ? 'page' : undefined}>{fact.family?.tab}</Link>
      ))}
    </nav>
  )
}
