import { CredentialBody, DoorRuleBody, judgePass, PermissionBody, PersonBody } from '@kit/terminal-protocol'
import { isShutAt } from '@kit/terminal-protocol/console'
import { rowsOf } from './own-settings.ts'
import type { DoorMode } from './door-mode.ts'
import type { TerminalStore } from './store.ts'

/** VERIFY_MODE by what was shown. */
const ways: Readonly<Record<string, number>> = { face: 1, card: 2, qr: 3, id_card: 4, password: 5, finger: 6 }
const [passed, no_right, not_now, stranger, used_up, shown_digits] = [1, 2, 3, 5, 11, 4] as const

/** When, and how the door is: a fire, or what it was told from afar. */
type Moment = { at: Date; is_fire: boolean; mode: ReturnType<DoorMode['at']> }

/** Looks up who has a credential and what the door's rule and his rights say at an instant; a face is known by the id of its credential. @returns a pass as it is recorded */
export function verify(store: TerminalStore, { kind, code }: { kind: CredentialBody['kind']; code: string }, { at, is_fire, mode }: Moment): Record<string, unknown> & { result: number } {
  const pass = { verify: ways[kind] ?? 0, ...(kind === 'face' ? {} : { code_masked: `****${code.slice(-shown_digits)}` }) }
  const credential = [...store.held('credential').values()].flatMap(row => CredentialBody.safeParse(row.body).data ?? []).find(body => body.kind === kind && (kind === 'face' ? body.id : body.code) === code)
  if (!credential) return { ...pass, result: kind === 'face' ? stranger : no_right, reason: 'unknown_credential' }
  const known = { ...pass, user_id: credential.user_id, credential_id: credential.id }
  const person = PersonBody.safeParse(store.held('person').get(credential.user_id)?.body).data
  if (!person) return { ...known, result: no_right, reason: 'no_right' }
  // A card that has ended is refused by the terminal's own clock, with the server or without (chapter 40 rule 12).
  if (!is_fire && credential.until !== undefined && at >= new Date(credential.until)) return { ...known, result: no_right, reason: 'expired' }
  if (!is_fire && isShutAt(rowsOf(store, 'access.schedule'), at)) return { ...known, result: not_now, reason: 'schedule_closed' }
  if (mode === 'held' || mode === 'evacuated') return { ...known, result: passed, reason: mode }
  if (mode === 'locked' || mode === 'sealed') return { ...known, result: not_now, reason: mode }
  const permissions = person.permission_ids.flatMap(id => PermissionBody.safeParse(store.held('permission').get(id)?.body).data ?? [])
  const door = DoorRuleBody.safeParse(store.held('rule').get('door')?.body).data
  const judge = (of: readonly PermissionBody[]) => judgePass({ permissions: of, door, at, verify: pass.verify, is_fire })
  const countOf = ({ id }: PermissionBody) => store.uses.get(`${credential.user_id} ${id}`) ?? 0
  const left = permissions.filter(one => one.max_times === undefined || countOf(one) < one.max_times)
  const judged = judge(left)
  if (judged.result !== passed) return { ...known, ...(judge(permissions).result === passed ? { result: used_up, reason: 'used_up' } : judged) }
  const counted = judge(left.filter(one => one.max_times === undefined)).result === passed ? undefined : left.find(one => judge([one]).result === passed)
  if (counted) store.uses.set(`${credential.user_id} ${counted.id}`, countOf(counted) + 1)
  return { ...known, ...judged }
}
