import type { SchoolPorts } from '@campus/school/web'
import { readStored } from '@kit/web'
import { pageSettings } from '../login/settings.ts'
import { openSubApp } from './sub-app/open-sub-app.ts'
import { recheck } from './account/recheck.ts'
import { switchIdentity } from './account/switch-identity.ts'
import { drawIcon } from './layout/page-icon.tsx'
import { recordCards, recordTabs } from './record-tabs.tsx'
import { reloadNavigations } from './session/load-session.ts'

/** Accounts and sessions behind the ports of the school's screens. */
export const schoolPorts: SchoolPorts = {
  openSubApp,
  tabs: recordTabs,
  cards: recordCards,
  mapAddress: pageSettings().map_address ?? null,
  icon: drawIcon,
  roles: async () => (await import('./role-look.ts')).roleLook.roles(),
  roleCodes: async role_id => (await import('./role-look.ts')).roleLook.roleCodes(role_id),
  menuChanged: async () => void (await reloadNavigations()),
  enter: (school_id, reason) => switchIdentity({ id: `-${school_id}`, code: 'SYS001_Super', user_id: readStored('user_id') ?? '', user_dep: '1', school_id }, { reason, quiet: true }),
  recheck,
}
