import { join } from 'node:path'
import { canteenErrors, canteenEvents, canteenRoutes as facts } from '@campus/canteen/contract'
import { erasePort, rekeyPort } from '@campus/people/server'
import type { Erase, Rekey } from '@campus/people/server'
import { importTemplatePort } from '@campus/jobs/server'
import type { DomainServer } from '@kit/server/http'
import { canteenApiRoutes } from './canteen.routes.ts'
import { menuTemplate } from './import/menu.template.ts'

export type { CanteenViews } from './tables.gen.ts'
export { createCanteen } from './create.ts'

const title = '食堂'
const stays = { canteen_dish: '记录谁登记，不改写', canteen_menu: '记录谁修改，不改写', canteen_menu_rev: '记录谁发布，不改写' } as const
const nothing = { domain: 'canteen', title, tables: Object.keys(stays), stays } as const

/** Menus name nobody but who made them. */
const canteenRekey: Rekey = { ...nothing, preview: () => Promise.resolve({ moves: [], conflicts: [] }), apply: () => Promise.resolve([]), undo: () => Promise.resolve([]), mark: () => Promise.resolve(null) }
const canteenErase: Erase = { ...nothing, stage: 'rows', erase: () => Promise.resolve([]) }

export const canteenServer: DomainServer = {
  name: 'canteen',
  migrations: join(import.meta.dirname, 'migrations'),
  routes: canteenApiRoutes,
  facts,
  events: Object.values(canteenEvents),
  constraints: { canteen_dish_name: canteenErrors.dishTaken, canteen_menu_week: canteenErrors.menuExists },
  codes: ['canteen.menu.publish'],
  compose({ app }) {
    importTemplatePort.fill(app, menuTemplate)
    rekeyPort.fill(app, canteenRekey)
    erasePort.fill(app, canteenErase)
  },
}
