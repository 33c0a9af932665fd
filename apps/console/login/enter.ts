import { checkMenu, checkRoleChoice } from '@kit/contract/checks'
import { getNavigations, getSurroundings, getToken, postLogout } from './calls.ts'
import type { Offer } from './login-flow.ts'
import { landingOf, menuOf, withoutPeriodPages } from './navigation.ts'
import { sessionValues } from './session-values.ts'
import { heldDictionary, writeSession } from './session-storage.ts'
import type { RoleEntry, TokenReply } from './wire.ts'

/** `reason`: why a super account comes into the school (platform rule R9). */
export type Entering = Offer & { entry: RoleEntry; account: string; has_school_id: boolean; reason?: string }

/** `go` with the landing page, or the sentence to show; `retry` when the ticket is still unspent. */
export type Entered = { kind: 'go'; path: string } | { kind: 'failed'; msg: string; retry: boolean }

/**
 * Turns a role ticket into a stored session: token, then what the session needs, then the menu (product spec §4, login
 * flow 6–8). Nothing is stored unless everything came; a session that came too far to be used is ended again.
 */
export async function enter(entering: Entering): Promise<Entered> {
  const blocked = checkRoleChoice(entering.entry)
  if (blocked) return { kind: 'failed', msg: blocked, retry: true }
  const issued = await getToken(entering.entry, entering.ticket, entering.reason)
  if (issued.kind !== 'ok') return { kind: 'failed', msg: issued.msg, retry: issued.kind === 'lost' }
  const entered = await furnish(entering, issued.data)
  if (entered.kind === 'failed') void postLogout(issued.data.token)
  return entered
}

async function furnish(entering: Entering, issued: TokenReply): Promise<Entered> {
  const { entry } = entering
  const around = await getSurroundings(entry, heldDictionary(entry.school_id), issued.token)
  if (around.kind !== 'ok') return { kind: 'failed', msg: around.msg, retry: false }
  const answer = await getNavigations(issued.role_id, issued.token)
  if (answer.kind !== 'ok') return { kind: 'failed', msg: answer.msg, retry: false }
  const { dictionary, groups, config, school } = around.data
  const navs = withoutPeriodPages(answer.data.navs, config.course_period)
  const menu = menuOf(navs)
  const empty = checkMenu(menu)
  if (empty) return { kind: 'failed', msg: empty, retry: false }
  writeSession(sessionValues({
    ...entering, issued, groups, config, school, navs,
    dictionary: dictionary.unchanged ? null : dictionary,
    perms: answer.data.perms,
    now: Date.now(),
  }))
  return { kind: 'go', path: landingOf(menu) }
}
