import type { QueryExecutorProvider } from 'kysely'
import type { App, Me } from './context.ts'
import { Port } from './port.ts'

/** Who looks at the menu, inside his request's transaction. */
export type BadgeDesk = { app: App; db: QueryExecutorProvider; school_id: number; me: Me; now: Date }

/** What waits for somebody's decision on a page: the number at its icon, and what is counted, as a sentence. Pages with nothing are left out. */
export type Badge = { path: string; count: number; text: string }

/** Filled by every domain in which something can wait: what waits for this person, of what his permissions and scope let him decide. */
export const badgePort = new Port<(desk: BadgeDesk) => Promise<readonly Badge[]>>('menu.badge')
