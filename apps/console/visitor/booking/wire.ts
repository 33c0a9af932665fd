import { ask } from '../../login/call.ts'
import type { Answer } from '../../login/call.ts'

/** The booking page of a school (chapter 35 §4 Visitors); the page loads no contracts. */
export type Book = {
  kind: 'book'; school_name: string; is_open: boolean; notice: string; advance_days: number; max_minutes: number; open_from: string; open_to: string; follower_max: number; need_plate: boolean; need_company: boolean
  reasons: { reason_code: string; reason_name: string; default_minutes: number }[]
}
/** One visit, for its visitor alone. */
export type Pass = {
  kind: 'pass'; school_name: string; token: string; apply_no: string; state: number; state_label: string; visitor_name: string; host: string; begin_at: string; end_at: string; route: string; pass_code: string | null; qr: string | null; may_cancel: boolean
}
export type Apply = {
  act: 'apply'; receiver: string; receiver_dept: string; visitor_name: string; mobile: string; company: string; reason_code: string; reason_text: string; followers: number; plate: string; begin_at: string; end_at: string; cap_key: string; captcha: string
}
type Act = Apply | { act: 'receiver_check'; receiver: string; receiver_dept: string } | { act: 'cancel' }

const pathOf = (token: string) => `/api/v2/visitor/public/${encodeURIComponent(token)}`

/** What an address opens. */
export function lookUp(token: string): Promise<Answer<Book | Pass>> {
  return ask({ method: 'GET', path: pathOf(token) })
}

/** Books, asks whether a host is known, or takes a booking back. */
export function postVisit(token: string, body: Act): Promise<Answer<{ is_known: boolean | null; visit: Pass | null }>> {
  return ask({ method: 'POST', path: pathOf(token), body })
}
