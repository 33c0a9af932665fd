import type { LoginReply, RoleEntry } from '@campus/identity/contract'
import type { Pre } from '@kit/server/http'
import type { Desk } from './db.ts'
import type { Card, SchoolOfPerson } from './role-list.service.ts'
import { issueTicket } from './ticket.queries.ts'

/** What a login has found. `school_id` is that of the address; `only_school`: whoever vouched for the person speaks for no other school. */
type Outcome = { schools: readonly SchoolOfPerson[]; role_list: RoleEntry[]; school_id?: number; only_school?: number; remember_token?: string }

/** Answers a login that was proved: the role ticket, and who may be chosen with it. */
export async function answerLogin(pre: Pre, account: { user_id: string; username: string | null }, outcome: Outcome): Promise<LoginReply> {
  const { schools, role_list, school_id, only_school, remember_token } = outcome
  const desk: Desk = pre
  const { user_id, username } = account
  const card = cardOf(schools, school_id ?? role_list[0]?.school_id) ?? { user_no: username ?? '', user_name: username ?? '', user_photo: null }
  pre.note({ user_no: card.user_no, user_name: card.user_name })
  const { token } = await desk.own(0, db => issueTicket(db, { purpose: 'role', user_id, school_id: only_school, entry_school_id: school_id }, desk.now))
  const role_actions = [...new Set(role_list.map(role => role.code))]
  return { token, user_id, ...card, role_actions, role_list, multi_school_info: schoolsIn(role_list), remember_token }
}

function cardOf(schools: readonly SchoolOfPerson[], school_id: number | undefined): Card | null {
  const known = schools.filter(school => school.card !== null)
  return (known.find(school => school.school_id === school_id) ?? known[0])?.card ?? null
}

function schoolsIn(role_list: readonly RoleEntry[]): LoginReply['multi_school_info'] {
  return [...new Map(role_list.map(role => [role.school_id, role])).values()].map(({ school_id, school_name, school_logo }) => {
    return { school_id, school_name, school_logo, count: role_list.filter(role => role.school_id === school_id).length }
  })
}
