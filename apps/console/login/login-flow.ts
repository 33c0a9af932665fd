import { roleStep, usable } from '@kit/contract/checks'
import type { LoginEntry } from '@kit/contract/checks'
import type { Answer } from './call.ts'
import type { LoginReply, RoleEntry } from './wire.ts'

/** What follows an answer of a login call (product spec §4, login flow 2–5). */
export type NextStep =
  | { kind: 'message'; msg: string; forget_password: boolean }
  /** 6005, 6006: the password must be changed first; `code` is the ticket for it */
  | { kind: 'password'; code: string; school_id: number | undefined }
  | { kind: 'enter'; entry: RoleEntry; offer: Offer }
  | { kind: 'choose'; preselected: RoleEntry | null; offer: Offer }

/** What a right password offers: the role ticket and the identities it may be spent on. */
export type Offer = { ticket: string; role_actions: readonly string[]; identities: readonly RoleEntry[] }

const PASSWORD_DEFAULT = 6005
const PASSWORD_EXPIRED = 6006
const REMEMBER_INVALID = 'identity.rememberInvalid'

/**
 * Decides the step after a login call. A refusal shows its sentence (6007 among them); a dead remember token is
 * forgotten as well. One usable identity goes straight on even when it is blocked for web: entering says so.
 */
export function nextStep(answer: Answer<LoginReply>, address: LoginEntry): NextStep {
  if (answer.kind === 'lost') return { kind: 'message', msg: answer.msg, forget_password: false }
  if (answer.kind === 'refused') return afterRefusal(answer)
  const { token, role_actions, role_list } = answer.data
  const step = roleStep(usable(role_list, address, 'web'), address)
  if (step.kind === 'none') return { kind: 'message', msg: step.msg, forget_password: false }
  const identities = step.kind === 'one' ? [step.entry] : step.list
  const offer = { ticket: token, role_actions, identities }
  if (step.kind === 'one') return { kind: 'enter', entry: step.entry, offer }
  return { kind: 'choose', preselected: selectable(step.preselected), offer }
}

/** One line per school and role group, in the order of the identities: what the switch-identity button counts. */
export function roleGroupsOf(list: readonly RoleEntry[]): { code: string; name: string; school_id: number; school_name: string }[] {
  const seen = new Map<string, RoleEntry>()
  for (const entry of list) {
    const key = `${entry.school_id}/${entry.ac_role_group.code}`
    if (!seen.has(key)) seen.set(key, entry)
  }
  return [...seen.values()].map(({ ac_role_group, school_id, school_name }) => ({ ...ac_role_group, school_id, school_name }))
}

function afterRefusal(answer: Extract<Answer<LoginReply>, { kind: 'refused' }>): NextStep {
  const change = answer.code === PASSWORD_DEFAULT || answer.code === PASSWORD_EXPIRED
  const ticket = change ? passwordTicket(answer.data) : null
  if (ticket) return { kind: 'password', ...ticket }
  return { kind: 'message', msg: answer.msg, forget_password: answer.error_id === REMEMBER_INVALID }
}

function passwordTicket(data: unknown): { code: string; school_id: number | undefined } | null {
  if (typeof data !== 'object' || data === null || !('token' in data) || typeof data.token !== 'string') return null
  const school_id = 'have_more_school' in data ? Number(data.have_more_school) : 0
  return { code: data.token, school_id: school_id > 0 ? school_id : undefined }
}

function selectable(entry: RoleEntry | null): RoleEntry | null {
  return entry && !entry.allow_login_web ? entry : null
}
