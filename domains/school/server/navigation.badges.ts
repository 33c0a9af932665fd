import type { navigationApi } from '@campus/school/contract'
import type { Reply } from '@kit/contract'
import { badgePort } from '@kit/server/http'
import type { Badge } from '@kit/server/http'
import type { SchoolCtx } from './db.ts'
import { readModules } from './module.service.ts'

const nav_edit = 'school.nav.edit'

/** What waits for a decision of the acting identity, page by page, of all domains (chapter 10 §5 应用中心). */
export async function readBadges(ctx: SchoolCtx): Promise<Reply<typeof navigationApi.badges>> {
  const found = [...(await endingModules(ctx))]
  for (const ask of badgePort.all(ctx.app)) found.push(...(await ask(ctx)))
  return { list: [...Map.groupBy(found, badge => badge.path)].map(([path, own]) => ({ path, count: own.reduce((sum, badge) => sum + badge.count, 0), text: own.map(badge => badge.text).join('；') })) }
}

/** Licences that end within a month want a renewal or an end that somebody has chosen. */
async function endingModules(ctx: SchoolCtx): Promise<Badge[]> {
  if (!ctx.me.codes.has(nav_edit)) return []
  const ending = (await readModules(ctx)).list.filter(line => line.days_left !== null)
  return ending.length === 0 ? [] : [{ path: '/SchoolRecord', count: ending.length, text: `${ending.length}个应用即将到期` }]
}
