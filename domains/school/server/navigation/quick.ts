import { most_quick } from '@campus/school/contract'
import type { NavItem } from '@campus/school/contract'
import { z } from 'zod'

/** Pages of the quick row where neither the person nor the school has chosen any. */
const usual_paths = ['/ParentsRecord', '/TeachersRecord', '/CardManagement', '/FaceManagement', '/VisitorPass', '/CustomNotice', '/StudentsTurnover', '/CookWeekMenu']

const Chosen = z.array(z.string())

/**
 * The quick row: of the chosen paths, in their order, those the menu holds, at most eight. An empty choice is a choice; a value of
 * another shape is none, and the usual pages stand instead.
 */
export function quickRow(menu: readonly NavItem[], chosen: unknown): NavItem[] {
  const { data: paths = usual_paths } = Chosen.safeParse(chosen)
  const pages = new Map(menu.flatMap(group => group.children).filter(page => !page.hidden).map(page => [page.path, page]))
  return [...new Set(paths)].flatMap(path => pages.get(path) ?? []).slice(0, most_quick)
}
