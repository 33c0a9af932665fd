import type { loginApi, sessionApi } from '@campus/identity/contract'
import type { NavItem, schoolApi } from '@campus/school/contract'
import type { Reply } from '@kit/contract'
import { create } from 'zustand'

export type RoleEntry = Reply<typeof loginApi.token>['role']

/** Everything the shell knows of the signed-in identity. */
export type Session = {
  person: Reply<typeof sessionApi.cards>['list'][number]
  /** the chosen identity */
  role: RoleEntry
  /** all usable identities, the chosen one among them */
  identities: RoleEntry[]
  school: Reply<typeof schoolApi.info>
  config: Reply<typeof schoolApi.config>
  /** sidebar tree: hidden nodes and pages of the other course_period mode are already gone */
  menu: NavItem[]
  quick: NavItem[]
  /** paths of all pages that may be opened today, those that are not drawn too */
  paths: ReadonlySet<string>
}

/** The session of this page; null until it is loaded. */
export const useSessionStore = create<{ session: Session | null }>(() => ({ session: null }))

/** The loaded session; only under `<SessionGate>`. */
export function useSession(): Session {
  const session = useSessionStore((state) => state.session)
  if (!session) throw new Error('no session is loaded')
  return session
}
