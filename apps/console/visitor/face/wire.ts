import { ask } from '../../login/call.ts'
import type { Answer } from '../../login/call.ts'

/** Before the check (chapter 40 §5); the page loads no contracts. */
export type Closed = { kind: 'closed'; school_name: string; user_name: string; is_child: boolean; by: 'id_no' | 'mobile' | null }
/** After it: the photograph, the protocol, and what was answered. */
export type Opened = {
  kind: 'open'
  school_name: string
  user_name: string
  is_child: boolean
  state: 'asked' | 'waiting_other' | 'given' | 'refused'
  may_answer: boolean
  has_signed: boolean
  has_face: boolean
  photo: string | null
  protocol: { version: number; title: string; text: string }
  devices_total: number
  receipt: string | null
  answered_at: string | null
  expires_at: string
}
export type Act =
  { act: 'check' | 'withdraw' | 'notme'; tail: string } | { act: 'answer'; tail: string; answer: number; protocol_version: number }

const pathOf = (token: string) => `/web/m/face/${encodeURIComponent(token)}`

/** Who asks, and for whom. */
export function lookUp(token: string): Promise<Answer<Closed>> {
  return ask({ method: 'GET', path: pathOf(token) })
}

/** Proves who one is, answers, withdraws, or says that the picture is of somebody else. */
export function postAct(token: string, body: Act): Promise<Answer<Opened>> {
  return ask({ method: 'POST', path: pathOf(token), body })
}
